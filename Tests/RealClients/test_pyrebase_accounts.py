"""Pyrebase: sign-up, sign-in, and what rules let whom do. The library's hosts are led to the server of the tests."""

import json
import unittest

import pyrebase
import requests

from served import Served

RULES = {
    "rules": {
        "users": {"$uid": {".read": "auth.uid === $uid", ".write": "auth.uid === $uid"}},
        "anybody": {".read": "auth.token.email_verified === false", ".write": False},
    }
}


class Detour(requests.adapters.HTTPAdapter):
    """Sends what is meant for Google to a server of the tests."""

    def __init__(self, url: str):
        super().__init__()
        self.url = url.rstrip("/")

    def send(self, request, **options):
        request.url = request.url.replace("https://", f"{self.url}/", 1)
        return super().send(request, **options)


def word(error: requests.HTTPError) -> str:
    """The refusal that the library has put into its exception."""
    return json.loads(error.args[1])["error"]["message"]


class Accounts(Served):
    rules = RULES
    options = ("--accounts", "--project", "accounts-test")

    def setUp(self):
        super().setUp()
        session = requests.Session()
        session.mount("https://", Detour(self.server.url))
        post = requests.post
        requests.post = session.post
        self.addCleanup(setattr, requests, "post", post)
        settings = {"apiKey": "x", "authDomain": "x", "databaseURL": self.server.url, "storageBucket": "x"}
        app = pyrebase.initialize_app(settings)
        self.auth, self.database = app.auth(), app.database()
        self.email = f"{self.place}@example.org"

    def refused(self, wanted: str, call, *arguments):
        with self.assertRaises(requests.HTTPError) as caught:
            call(*arguments)
        self.assertEqual(word(caught.exception), wanted)

    def test_a_user_signs_up_and_in_and_renews_the_token(self):
        made = self.auth.create_user_with_email_and_password(self.email, "secret")
        user = self.auth.sign_in_with_email_and_password(self.email, "secret")
        self.assertEqual((user["localId"], user["registered"]), (made["localId"], True))
        renewed = self.auth.refresh(user["refreshToken"])
        self.assertEqual(renewed["userId"], made["localId"])
        info = self.auth.get_account_info(renewed["idToken"])["users"][0]
        self.assertEqual((info["email"], info["emailVerified"]), (self.email, False))
        self.refused("EMAIL_EXISTS", self.auth.create_user_with_email_and_password, self.email, "secret")
        self.refused("INVALID_LOGIN_CREDENTIALS", self.auth.sign_in_with_email_and_password, self.email, "wrong")

    def test_rules_see_who_writes(self):
        anna = self.auth.create_user_with_email_and_password(self.email, "secret")
        bob = self.auth.sign_in_anonymous()
        own = self.database.child("users", anna["localId"])
        self.assertEqual(own.set({"name": "Anna"}, anna["idToken"]), {"name": "Anna"})
        self.assertEqual(self.database.child("users", anna["localId"], "name").get(anna["idToken"]).val(), "Anna")
        for token in (bob["idToken"], None):
            with self.assertRaises(requests.HTTPError):
                self.database.child("users", anna["localId"]).set({"name": "Eve"}, token)
        self.assertIsNone(self.database.child("anybody").get(anna["idToken"]).val())

    def test_a_user_changes_and_goes(self):
        user = self.auth.create_user_with_email_and_password(self.email, "secret")
        profile = self.auth.update_profile(user["idToken"], display_name="Anna")
        self.assertEqual(profile["displayName"], "Anna")
        changed = self.auth.change_password(user["idToken"], "another")
        self.refused("TOKEN_EXPIRED", self.auth.get_account_info, user["idToken"])
        with self.assertRaises(requests.HTTPError):
            self.database.child("users", user["localId"]).set(1, user["idToken"])
        self.database.child("users", user["localId"]).set(1, changed["idToken"])
        moved = self.auth.change_email(changed["idToken"], f"new-{self.email}")
        self.assertEqual(moved["email"], f"new-{self.email}")
        self.auth.delete_user_account(moved["idToken"])
        self.refused("USER_NOT_FOUND", self.auth.get_account_info, moved["idToken"])
        with self.assertRaises(requests.HTTPError):
            self.database.child("users", user["localId"]).set(1, moved["idToken"])

    def test_codes_are_asked_for_by_any_address(self):
        self.auth.create_user_with_email_and_password(self.email, "secret")
        for email in (self.email, f"nobody-{self.email}"):
            self.assertEqual(self.auth.send_password_reset_email(email)["email"], email)
        self.refused("INVALID_OOB_CODE", self.auth.verify_password_reset_code, "guess", "another")


if __name__ == "__main__":
    unittest.main()
