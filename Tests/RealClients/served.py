"""What the tests of all clients share: a server of their own, and waiting for events with a deadline."""

import json
import queue
import shutil
import sys
import threading
import unittest
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from rig import programs  # noqa: E402
from rig.processes import Hub  # noqa: E402

BINARY = (programs.given() or programs.ROOT / ".build" / "debug") / "moviesyncd"
LIMIT = 30  # seconds that any one event may take

# Closing a listener of either library makes its thread fail on the closed socket; that is no failure of the server.
threading.excepthook = lambda arguments: None


class Server:
    """A server on a free port with a temporary folder. Killed and started again, it keeps both."""

    def __init__(self, rules: dict | None = None, options: tuple[str, ...] = ("--emulator",)):
        if not BINARY.is_file():
            raise AssertionError(f"{BINARY} is not there: run swift build, or name a folder in MOVIESYNC_BIN")
        self.folder = programs.scratch_folder("clients")
        self.options = list(options)
        if rules is not None:
            file = self.folder / "rules.json"
            file.write_text(json.dumps(rules), encoding="utf-8")
            self.options += ["--rules", str(file)]
        self.listen = "127.0.0.1:0"
        self.start()
        self.listen = "{}:{}".format(*self.hub.place)

    @property
    def url(self) -> str:
        return self.hub.url

    def start(self):
        self.hub = Hub(BINARY, self.folder, self.listen, self.options)

    def kill_and_start(self):
        """SIGKILL, and a new process on the same port and data."""
        self.hub.kill()
        self.start()

    def remove(self):
        """Ends the server, which must end well, and removes its data."""
        try:
            self.hub.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


class Served(unittest.TestCase):
    """Tests that share one server; each has a place of its own, `self.place`."""

    rules: dict | None = None
    options: tuple[str, ...] = ("--emulator",)

    @classmethod
    def setUpClass(cls):
        cls.server = Server(cls.rules, cls.options)
        cls.addClassCleanup(cls.server.remove)

    def setUp(self):
        self.place = f"test-{uuid.uuid4().hex[:8]}"


class Events:
    """Events of a listener, in order."""

    def __init__(self):
        self.queue = queue.Queue()

    def next(self, seconds: float = LIMIT):
        """The next event; fails the test when none comes in time."""
        try:
            return self.queue.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no event within {seconds} s") from None
