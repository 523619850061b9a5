"""A local Firebase of its own for each test, asked by curl.

Takes the programs of MOVIESYNC_BIN, else the debug build, which must be there: `swift build` first.
"""

import json
import re
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from rig import programs  # noqa: E402
from rig.curl import Answer, answer  # noqa: E402
from rig.processes import Hub  # noqa: E402

BINARY = (programs.given() or programs.ROOT / ".build" / "debug") / "moviesyncd"
ANY = object()
OWNER = "Authorization: Bearer owner"


class WithCurl(unittest.TestCase):
    """A fresh server for each test, and curl."""

    options = ("--emulator",)

    def setUp(self):
        if not BINARY.is_file():
            self.fail(f"{BINARY} is not there: run swift build, or name a folder in MOVIESYNC_BIN")
        self.folder = programs.scratch_folder("firebase")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.server = Hub(BINARY, self.folder, options=self.options)
        self.addCleanup(self.server.stop)

    def url(self, path: str) -> str:
        return self.server.url.rstrip("/") + path

    def curl(self, method: str, path: str, body: str | None = None, *headers: str) -> Answer:
        return answer(method, self.url(path), body, *headers)

    def put_rules(self, text: str, *query: str) -> Answer:
        return self.curl("PUT", f"/.settings/rules.json{''.join(query)}", text, OWNER)

    def told(self, *steps):
        """Steps of (request, body, status, answer, headers…); an answer is text, or a value to compare as JSON."""
        for request, body, status, wanted, *headers in steps:
            with self.subTest(request=request, body=(body or "")[:60], headers=headers):
                method, path = request.split(" ", 1)
                found = self.curl(method, path, body, *headers)
                self.assertEqual(found.status, status, found.body[:300])
                if status >= 400 and status != 412:
                    self.assertIsInstance(found.value["error"], str)
                if isinstance(wanted, re.Pattern):
                    self.assertRegex(found.body, wanted)
                elif isinstance(wanted, str):
                    self.assertEqual(found.body, wanted)
                elif wanted is not ANY:
                    self.assertEqual(found.value, wanted)
