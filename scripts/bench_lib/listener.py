"""Listens to a hub's event stream and notes when each film is first seen."""

import http.client
import json
import socket
import threading
import time


class Listener:
    """One open event stream on `/movies`; `seen` waits for a film. End it with `close`."""

    def __init__(self, place: tuple[str, int], only_changes: bool = False):
        """`only_changes`: what is there when the stream opens does not count as seen."""
        self._only_changes = only_changes
        self._times: dict[str, float] = {}
        self._arrived = threading.Condition()
        self._open = False
        self._ended = ""
        connection = http.client.HTTPConnection(*place, timeout=120)
        connection.request("GET", "/movies.json", headers={"Accept": "text/event-stream"})
        self._socket = connection.sock
        self._response = connection.getresponse()
        if self._response.status != 200:
            raise OSError(f"event stream: {self._response.status}")
        threading.Thread(target=self._read, daemon=True).start()
        with self._arrived:
            if not self._arrived.wait_for(lambda: self._open, timeout=30):
                raise OSError("event stream: no first event within 30 s")

    def _read(self) -> None:
        try:
            while text := self._response.readline():
                now = time.perf_counter()
                if text.startswith(b"data: {"):
                    self._note(json.loads(text[6:]), now)
        except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            self._ended = str(error)  # close() ends the reading in this way too

    def _note(self, event: dict, now: float) -> None:
        first = event["path"].strip("/").split("/")[0]
        names = [first] if first else [key.split("/")[0] for key in event["data"] or {}]
        with self._arrived:
            if not self._open and self._only_changes:
                names = []
            self._open = True
            for name in names:
                self._times.setdefault(name, now)
            self._arrived.notify_all()

    def seen(self, identifier: str, seconds: float = 10) -> float:
        """When the film was first seen (`time.perf_counter`); OSError where it is not within so many seconds."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: identifier in self._times, timeout=seconds):
                raise OSError(f"{identifier} was not seen on the hub within {seconds:.0f} s {self._ended}".rstrip())
            return self._times[identifier]

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
