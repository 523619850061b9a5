"""Programs that a run starts and ends: one hub, several nodes, each with its own folder and log."""

import json
import os
import re
import selectors
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from rig import ports
from rig.catalog import Catalog
from rig.control import Control, TooLate

FOREIGN_SETTINGS = ("MOVIESYNC_", "FIREBASE_", "XDG_")
FOREIGN_NAMES = {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "CREDENTIALS_DIRECTORY"}


class Ended(Exception):
    """A program that should run has ended."""


def clean_environment(**more: str) -> dict[str, str]:
    """This process's environment without what would change how moviesync behaves."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(FOREIGN_SETTINGS) and name not in FOREIGN_NAMES
    }
    return kept | more


def quoted(value: object) -> str:
    """A value as YAML takes it whatever is in it."""
    return json.dumps(str(value))


class Program:
    """A running program whose output goes to a file. `stop` ends it; a second call does nothing."""

    def __init__(self, name: str, command: list[str], folder: Path, environment: dict[str, str] | None = None):
        self.name = name
        self.log = folder / f"{name}.log"
        self.output = folder / f"{name}.out"
        with self.log.open("ab") as errors, self.output.open("wb") as output:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=clean_environment() if environment is None else environment,
                start_new_session=True,  # Ctrl-C reaches the script alone, which ends its programs in order
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def check(self) -> None:
        """Raises Ended where the program runs no more."""
        if self.process.poll() is not None:
            raise Ended(f"{self.name} has ended with exit code {self.process.returncode}")

    def stop(self) -> None:
        """SIGTERM; SIGKILL after 15 s. Raises Ended where it ended otherwise than with 0."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
                raise Ended(f"{self.name} did not end within 15 s after SIGTERM") from None
            if self.process.returncode != 0:
                raise Ended(f"{self.name} ended with exit code {self.process.returncode} after SIGTERM")

    def kill(self) -> None:
        """SIGKILL: no chance to tidy up."""
        self.process.kill()
        self.process.wait()

    def last_lines(self, count: int = 8) -> list[str]:
        """The end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-count:]


class Hub(Program):
    """A local Firebase of one's own, with its data in `folder`; on a free port unless told which."""

    def __init__(self, moviesyncd: Path, folder: Path, listen: str = "127.0.0.1:0", options: Sequence[str] = ()):
        if listen.endswith(":0"):
            listen = listen[:-1] + str(ports.lasting())
        command = [str(moviesyncd), "serve-firebase", "--listen", listen, "--data", str(folder / "hub-data"), *options]
        super().__init__("hub", command, folder)
        try:
            self.url = self._announced(seconds=20)
        except BaseException:
            self.kill()
            raise

    def _announced(self, seconds: float) -> str:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            match = re.search(r"^listening on (http://\S+)$", self.output.read_text(encoding="utf-8"), re.MULTILINE)
            if match:
                return match[1]
            self.check()
            time.sleep(0.02)
        said = self.output.read_text(encoding="utf-8").strip() or "nothing"
        raise TooLate(f"{self.name} did not print `listening on http://…` within {seconds:.0f} s; it printed {said}")

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self.url.removeprefix("http://").rstrip("/").rsplit(":", 1)
        return host, int(port)

    def text(self, path: str, method: str = "GET", body: object = None) -> bytes:
        """What the hub answers for a path such as `/movies.json?shallow=true`; `body` is sent as JSON."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url.rstrip("/") + path, data=data, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.read()


class Node:
    """One daemon with a folder of its own; `start` and `stop` may be called again and again."""

    def __init__(self, moviesyncd: Path, folder: Path, name: str, hub_url: str = "", pull: str = "full",
                 hub_data: Path | None = None, rules: Path | None = None, catalog: Catalog | None = None,
                 collections: Sequence[str] = ("movies",), more: str = ""):
        """A node of the hub at `hub_url`, or one with a hub of its own whose data are in `hub_data`.

        With `rules`, its own hub has these, and they guard its writes in place of ETags. With `catalog`, it asks that for
        films. `more` are further lines of its configuration.
        """
        self.moviesyncd, self.name = moviesyncd, name
        self.folder = folder / name
        (self.folder / "spool").mkdir(parents=True)
        self.journal = self.folder / "spool" / "journal.jsonl"
        self.socket = self.folder / "control.sock"
        self.config = self.folder / "moviesync.yaml"
        remote = f"  plugin: firebase\n  url: {quoted(hub_url)}\n"
        if hub_data:
            remote = f"  plugin: local\nlocal:\n  listen: 127.0.0.1:0\n  data: {quoted(hub_data)}\n"
        if rules:
            remote = f"  writeGuard: rules\n{remote}  rules: {quoted(rules)}\n"
        self.config.write_text(
            f"state: {quoted(self.folder / 'state')}\n"
            f"journal: {quoted(self.journal)}\n"
            f"socket: {quoted(self.socket)}\n"
            "collections:\n"
            f"  enabled: [{', '.join(collections)}]\n"
            "  movies:\n"
            f"    pull: {pull}\n"
            "remote:\n"
            "  meta: moviesync\n"
            f"{remote}"
            "log:\n"
            "  format: json\n"
            + (self.catalog_settings(catalog) if catalog else "") + more,
            encoding="utf-8",
        )
        self.control = Control(str(self.socket))
        self.program: Program | None = None

    def catalog_settings(self, catalog: Catalog) -> str:
        """Lines of the configuration, and the file with a key that they name."""
        key = self.folder / "catalog-key"
        key.touch(mode=0o600)
        key.write_text("0" * 32, encoding="utf-8")
        return f"catalogs:\n  tmdb: {{credentialFile: {quoted(key)}, url: {quoted(catalog.url)}, language: en}}\n"

    def start(self, seconds: float = 30) -> float:
        """Starts the daemon and returns the seconds it took to say that it is ready."""
        address = str(self.folder / "notify.sock")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices, selectors.DefaultSelector() as selector:
            notices.bind(address)
            try:
                selector.register(notices, selectors.EVENT_READ)
                began = time.monotonic()
                environment = clean_environment(NOTIFY_SOCKET=address)
                command = [str(self.moviesyncd), "run", "--config", str(self.config)]
                self.program = Program(self.name, command, self.folder, environment)
                while time.monotonic() < began + seconds:
                    if selector.select(timeout=0.2) and b"READY=1" in notices.recv(65536).split(b"\n"):
                        return time.monotonic() - began
                    self.program.check()
            finally:
                os.unlink(address)
        raise TooLate(f"{self.name} did not say READY within {seconds:.0f} s")

    def stop(self) -> None:
        """Ends the daemon as Program.stop does; it may be started again."""
        self.control.close()
        if self.program is not None:
            self.program.stop()

    def append(self, text: str) -> None:
        """Appends to the journal as any program may: one write to a file opened for appending."""
        descriptor = os.open(self.journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o660)
        try:
            data = text.encode()
            if os.write(descriptor, data) != len(data):
                raise OSError(f"short write to {self.journal}")
        finally:
            os.close(descriptor)

    def until(self, holds, what: str, seconds: float, tick: float = 0.02) -> dict:
        """Waits for a status for which `holds` is true; see Control.until."""
        alive = self.program.check if self.program else lambda: None
        return self.control.until(holds, f"{self.name}: {what}", seconds, tick, alive)

    def records(self, collection: str = "movies") -> dict[str, dict]:
        """All current records by id."""
        return {item["id"]: item for item in self.control.listed(f"/v1/records/{collection}")}


def is_live(status: dict) -> bool:
    """It works and its stream is open; with a hold or something in quarantine it may call itself degraded."""
    return status["state"] in ("running", "degraded") and status["remote"]["stream"] == "live"


def is_settled(status: dict, records: int | None = None, collection: str = "movies") -> bool:
    """Nothing waits to be sent, the journal is read to its end, and so many records are there."""
    counts = status["collections"][collection]
    return (
        is_live(status)
        and counts["pending"] == 0
        and status["journal"]["offset"] == status["journal"]["size"]
        and (records is None or counts["records"] == records)
    )
