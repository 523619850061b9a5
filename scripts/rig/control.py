"""A node's control socket, as any program can use it: HTTP/1.1 and JSON over a Unix socket."""

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator


class Refused(Exception):
    """The daemon answered with an error; the text is its own."""


class TooLate(Exception):
    """Something did not come about before its deadline."""


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float):
        super().__init__("moviesync", timeout=timeout)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Control:
    """Asks one daemon through its socket. The connection is kept; a broken one is opened again at the next call."""

    def __init__(self, path: str, timeout: float = 90):
        self._connection = _UnixConnection(path, timeout)

    def ask(self, method: str, route: str, body: object = None) -> dict:
        """The daemon's answer; `body` is sent as JSON. Raises Refused for a 4xx or 5xx, OSError where nothing listens."""
        try:
            self._connection.request(method, route, None if body is None else json.dumps(body))
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise error if isinstance(error, OSError) else OSError(f"{type(error).__name__} {error}") from error
        answer = json.loads(text) if text else {}
        if response.status >= 400:
            raise Refused(f"{method} {route}: {response.status} {answer.get('error', answer)}")
        return answer

    def close(self) -> None:
        """Closes the connection; the next question opens it again."""
        self._connection.close()

    def status(self) -> dict:
        return self.ask("GET", "/v1/status")

    def listed(self, route: str) -> Iterator[dict]:
        """All items of a paged list, in order."""
        after = ""
        while after is not None:
            page = self.ask("GET", f"{route}?limit=1000" + (f"&after={after}" if after else ""))
            yield from page["items"]
            after = page.get("next")

    def after_changes(self, holds: Callable[[], bool], what: str, seconds: float) -> None:
        """Asks at once, and again after each change that takes effect on this node, until `holds` is true.

        Raises TooLate with `what` after so many seconds.
        """
        deadline = time.monotonic() + seconds
        seen = self.status()["lastChange"]
        stream = _UnixConnection(self._connection.path, seconds)
        try:
            stream.request("GET", f"/v1/changes?after={seen}", headers={"Accept": "text/event-stream"})
            # The answer may begin with the first change: until then, what stands now is all there is.
            if holds():
                return
            for line in stream.getresponse():
                if line.startswith(b"id:") and holds():
                    return
                if time.monotonic() > deadline:
                    break
        except TimeoutError:
            pass
        finally:
            stream.close()
        raise TooLate(f"not within {seconds:.0f} s: {what}")

    def until(
        self,
        holds: Callable[[dict], bool],
        what: str,
        seconds: float,
        tick: float = 0.02,
        alive: Callable[[], None] = lambda: None,
    ) -> dict:
        """Asks for the status until `holds` is true of it, and returns it.

        `alive` is called before each question and may raise. Raises TooLate with `what` after so many seconds.
        """
        deadline = time.monotonic() + seconds
        last: object = "no answer yet"
        while time.monotonic() < deadline:
            alive()
            try:
                last = self.status()
                if holds(last):
                    return last
            except OSError as error:
                last = error
            time.sleep(tick)
        raise TooLate(f"not within {seconds:.0f} s: {what}; last status: {json.dumps(last, default=str)}")
