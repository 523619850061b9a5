"""Pyrebase: pictures of people. The library's hosts are led to the server of the tests."""

import json
import tempfile
import unittest
from pathlib import Path

import pyrebase
import requests

from served import Served
from test_pyrebase_accounts import Detour

PICTURE = bytes.fromhex("ffd8ffe0") + bytes(range(256)) * 400


class Pictures(Served):
    options = ("--accounts", "--project", "pictures-test")

    def setUp(self):
        super().setUp()
        session = requests.Session()
        session.mount("https://", Detour(self.server.url))
        for name in ("get", "post"):
            self.addCleanup(setattr, requests, name, getattr(requests, name))
            setattr(requests, name, getattr(session, name))
        settings = {
            "apiKey": "x", "authDomain": "x", "databaseURL": self.server.url,
            "storageBucket": "pictures-test.appspot.com",
        }
        app = pyrebase.initialize_app(settings)
        app.requests.mount("https://", Detour(self.server.url))
        self.storage = app.storage()
        user = app.auth().create_user_with_email_and_password(f"{self.place}@example.org", "secret")
        self.token, self.name = user["idToken"], f"profiles/{user['localId']}.jpg"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def put(self) -> dict:
        file = self.folder / "own.jpg"
        file.write_bytes(PICTURE)
        with file.open("rb") as content:
            return self.storage.child(self.name).put(content, self.token)

    def test_a_picture_is_stored_shown_and_removed(self):
        stored = self.put()
        self.assertEqual((stored["name"], stored["contentType"]), (self.name, "image/jpeg"))
        url = self.storage.child(self.name).get_url(stored["downloadTokens"])
        seen = requests.get(url)
        self.assertEqual((seen.status_code, seen.content), (200, PICTURE))
        self.assertEqual(requests.get(self.storage.child(self.name).get_url(None)).status_code, 403)
        copy = self.folder / "copy.jpg"
        self.storage.child(self.name).download(self.name, str(copy), self.token)
        self.assertEqual(copy.read_bytes(), PICTURE)
        self.storage.delete(self.name, self.token)
        self.assertEqual(requests.get(url).status_code, 403)

    def test_a_picture_is_there_after_the_server_was_killed(self):
        token = self.put()["downloadTokens"]
        url = self.storage.child(self.name).get_url(token)
        self.server.kill_and_start()
        self.assertEqual(requests.get(url).content, PICTURE)

    def test_nobody_writes_what_is_another_s(self):
        for name, token in ((self.name, None), ("profiles/another.jpg", self.token), ("pictures/x.jpg", self.token)):
            with self.assertRaises(requests.HTTPError) as caught:
                self.storage.child(name).put(PICTURE, token)
            error = json.loads(caught.exception.args[1])["error"]
            self.assertEqual((error["code"], error["message"]), (403, "Permission denied."))
        self.put()
        with self.assertRaises(requests.HTTPError):
            self.storage.delete(self.name, None)


if __name__ == "__main__":
    unittest.main()
