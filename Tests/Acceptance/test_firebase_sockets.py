"""Apps that speak WebSockets: what they planned for their end, and a hub that stops or is killed."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from curl_case import BINARY, WithCurl  # noqa: E402
from rig.processes import Hub  # noqa: E402
from socket_client import Closed, Session  # noqa: E402

DONE = {"s": "ok", "d": ""}


class Sessions(WithCurl):
    options = ("--emulator",)

    def session(self, query: str = "v=5&ns=127") -> Session:
        session = Session(self.server.url, query)
        self.addCleanup(session.close)
        return session

    def restarted(self):
        self.server = Hub(BINARY, self.folder, options=self.options)
        self.addCleanup(self.server.stop)

    def test_an_app_and_rest_see_each_other(self):
        app = self.session()
        self.assertEqual(app.hello["h"], self.server.url.rstrip("/").removeprefix("http://"))
        self.assertEqual(app.ask("q", {"p": "/films", "h": ""}), {"s": "ok", "d": {}})
        self.assertEqual(app.pushes, [{"a": "d", "b": {"p": "films", "d": None}}])
        film = {"title": "x" * 100_000}
        self.told(("PUT /films/a.json?print=silent", '{"n":1}', 204, ""))
        self.assertEqual(app.message()["d"], {"a": "d", "b": {"p": "films/a", "d": {"n": 1}}})
        self.assertEqual(app.ask("p", {"p": "/films/b", "d": film}), DONE)
        self.assertEqual(app.pushes, [{"a": "d", "b": {"p": "films/b", "d": film}}])
        self.told(("GET /films.json", None, 200, {"a": {"n": 1}, "b": film}))

    def test_what_was_planned_happens_when_the_hub_stops(self):
        app = self.session()
        self.assertEqual(app.ask("o", {"p": "/online", "d": False}), DONE)
        self.assertEqual(app.ask("o", {"p": "/count", "d": {".sv": {"increment": 1}}}), DONE)
        self.server.stop()
        self.assertEqual(app.message(), {"t": "c", "d": {"t": "r", "d": app.hello["h"]}})
        with self.assertRaises(Closed) as end:
            app.message()
        self.assertEqual(end.exception.code, 1001)
        self.restarted()
        self.told(("GET /.json", None, 200, {"online": False, "count": 1}))

    def test_what_was_planned_is_forgotten_where_the_hub_is_killed(self):
        app = self.session()
        self.assertEqual(app.ask("p", {"p": "/online", "d": True}), DONE)
        self.assertEqual(app.ask("o", {"p": "/online", "d": False}), DONE)
        self.server.kill()
        with self.assertRaises((Closed, ConnectionResetError)):
            app.message()
        self.restarted()
        self.told(("GET /online.json", None, 200, True))

    def test_who_comes_back_finds_the_last_session_ended(self):
        first = self.session()
        self.assertEqual(first.ask("o", {"p": "/online", "d": False}), DONE)
        second = self.session(f"v=5&ns=127&ls={first.hello['s']}")
        self.assertEqual(second.ask("g", {"p": "/online"}), {"s": "ok", "d": False})


if __name__ == "__main__":
    unittest.main()
