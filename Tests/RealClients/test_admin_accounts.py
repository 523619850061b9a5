"""The Admin SDK: accounts of an emulator, and tokens of a server that is none, verified by their signatures."""

import datetime
import os
import time
import unittest
import uuid
from unittest import mock

import firebase_admin
import google.auth.credentials
import requests
from firebase_admin import auth, credentials, _token_gen

from served import Served, Server

PROJECT = "accounts-test"


def call(server: Server, name: str, body: dict, **headers) -> requests.Response:
    """What an app sends: a call of Identity Toolkit."""
    url = f"{server.url}/identitytoolkit.googleapis.com/v1/accounts:{name}?key=any"
    return requests.post(url, json=body, headers=headers, timeout=30)


def refreshed(server: Server, token: str) -> requests.Response:
    form = {"grant_type": "refresh_token", "refresh_token": token}
    return requests.post(f"{server.url}/securetoken.googleapis.com/v1/token?key=any", data=form, timeout=30)


def reason(answer: requests.Response) -> str:
    return answer.json()["error"]["message"]


class Nobody(credentials.Base):
    """No credential at all: what verifies tokens needs none."""

    def get_credential(self):
        return google.auth.credentials.AnonymousCredentials()


class AccountsTest(Served):
    """Tests with an app of the Admin SDK, and an address of their own each."""

    def setUp(self):
        super().setUp()
        self.email = f"{self.place}@example.org"
        self.app = firebase_admin.initialize_app(Nobody(), {"projectId": PROJECT}, name=uuid.uuid4().hex)
        self.addCleanup(firebase_admin.delete_app, self.app)

    def signed_up(self) -> dict:
        answer = call(self.server, "signUp", {"email": self.email, "password": "secret", "returnSecureToken": True})
        self.assertEqual(answer.status_code, 200, answer.text)
        return answer.json()

    def signed_in(self, password: str = "secret") -> requests.Response:
        return call(self.server, "signInWithPassword", {"email": self.email, "password": password})


class AtAnEmulator(AccountsTest):
    options = ("--emulator", "--project", PROJECT)

    def setUp(self):
        place = self.server.url.removeprefix("http://").rstrip("/")
        patch = mock.patch.dict(os.environ, {"FIREBASE_AUTH_EMULATOR_HOST": place})
        patch.start()
        self.addCleanup(patch.stop)
        super().setUp()

    def test_a_user_is_made_and_found_and_changed_and_deleted(self):
        made = auth.create_user(
            email=self.email.upper(), password="secret", display_name="Anna", phone_number=f"+49{time.time_ns() % 10**10}",
            photo_url="https://example.org/a.png", app=self.app)
        self.assertEqual((made.email, made.display_name, made.disabled), (self.email, "Anna", False))
        self.assertEqual({p.provider_id for p in made.provider_data}, {"password", "phone"})
        self.assertEqual(auth.get_user_by_email(self.email, app=self.app).uid, made.uid)
        self.assertEqual(auth.get_user_by_phone_number(made.phone_number, app=self.app).uid, made.uid)
        changed = auth.update_user(
            made.uid, display_name=auth.DELETE_ATTRIBUTE, email_verified=True, disabled=True,
            custom_claims={"role": "boss"}, app=self.app)
        self.assertEqual((changed.display_name, changed.email_verified, changed.disabled), (None, True, True))
        self.assertEqual(changed.custom_claims, {"role": "boss"})
        self.assertEqual(reason(self.signed_in()), "USER_DISABLED")
        auth.delete_user(made.uid, app=self.app)
        with self.assertRaises(auth.UserNotFoundError):
            auth.get_user(made.uid, app=self.app)
        with self.assertRaises(auth.UserNotFoundError):
            auth.delete_user(made.uid, app=self.app)

    def test_what_is_taken_is_refused_in_the_sdks_own_errors(self):
        made = auth.create_user(uid=self.place, email=self.email, app=self.app)
        with self.assertRaises(auth.EmailAlreadyExistsError):
            auth.create_user(email=self.email, app=self.app)
        with self.assertRaises(auth.UidAlreadyExistsError):
            auth.create_user(uid=made.uid, app=self.app)
        with self.assertRaises(auth.UserNotFoundError):
            auth.update_user("nobody", display_name="x", app=self.app)

    def test_forty_five_users_are_listed_over_pages_and_deleted_at_once(self):
        wanted = {f"{self.place}-{number:02}" for number in range(45)}
        for uid in wanted:
            auth.create_user(uid=uid, app=self.app)
        page, found, pages = auth.list_users(max_results=20, app=self.app), [], 0
        while page:
            found += [user.uid for user in page.users]
            page, pages = page.get_next_page(), pages + 1
        self.assertGreaterEqual(pages, 3)
        self.assertEqual(found, sorted(set(found)))
        self.assertLessEqual(wanted, set(found))
        some = auth.get_users([auth.UidIdentifier(uid) for uid in sorted(wanted)[:3] + ["nobody"]], app=self.app)
        self.assertEqual((len(some.users), len(some.not_found)), (3, 1))
        result = auth.delete_users(sorted(wanted), app=self.app)
        self.assertEqual((result.success_count, result.failure_count), (45, 0))
        self.assertFalse(wanted & {user.uid for user in auth.list_users(app=self.app).iterate_all()})

    def test_tokens_are_verified_and_revoked(self):
        user = self.signed_up()
        claims = auth.verify_id_token(user["idToken"], app=self.app)
        self.assertEqual((claims["uid"], claims["email"]), (user["localId"], self.email))
        auth.set_custom_user_claims(user["localId"], {"role": "boss"}, app=self.app)
        renewed = refreshed(self.server, user["refreshToken"]).json()
        self.assertEqual(auth.verify_id_token(renewed["id_token"], check_revoked=True, app=self.app)["role"], "boss")
        auth.revoke_refresh_tokens(user["localId"], app=self.app)
        self.assertEqual(reason(refreshed(self.server, user["refreshToken"])), "TOKEN_EXPIRED")
        with self.assertRaises(auth.RevokedIdTokenError):
            auth.verify_id_token(renewed["id_token"], check_revoked=True, app=self.app)
        again = self.signed_in().json()
        auth.verify_id_token(again["idToken"], check_revoked=True, app=self.app)

    def test_links_do_what_they_say(self):
        user = self.signed_up()
        settings = auth.ActionCodeSettings("https://example.org/done?a=b")
        link = auth.generate_email_verification_link(self.email, settings, app=self.app)
        self.assertEqual(requests.get(link, timeout=30).status_code, 200)
        self.assertTrue(auth.get_user(user["localId"], app=self.app).email_verified)
        link = auth.generate_password_reset_link(self.email, app=self.app)
        self.assertEqual(requests.get(link + "&newPassword=another", timeout=30).status_code, 200)
        self.assertEqual(requests.get(link + "&newPassword=again12", timeout=30).status_code, 400)
        self.assertEqual(self.signed_in("another").status_code, 200)
        self.assertIn("oobCode=", auth.generate_sign_in_with_email_link(self.email, settings, app=self.app))
        with self.assertRaises(auth.EmailNotFoundError):
            auth.generate_password_reset_link("nobody@example.org", app=self.app)

    def test_codes_that_were_sent_are_shown(self):
        self.signed_up()
        call(self.server, "sendOobCode", {"requestType": "PASSWORD_RESET", "email": self.email})
        codes = requests.get(f"{self.server.url}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=30).json()["oobCodes"]
        code = next(code for code in codes if code["email"] == self.email)
        self.assertEqual(code["requestType"], "PASSWORD_RESET")
        answer = call(self.server, "resetPassword", {"oobCode": code["oobCode"], "newPassword": "another"})
        self.assertEqual(answer.json()["email"], self.email)
        self.assertTrue(requests.get(self.server.url, timeout=30).json()["authEmulator"]["ready"])

    def test_custom_tokens_and_session_cookies(self):
        token = auth.create_custom_token(self.place, {"premium": True}, app=self.app).decode()
        answer = call(self.server, "signInWithCustomToken", {"token": token, "returnSecureToken": True}).json()
        claims = auth.verify_id_token(answer["idToken"], app=self.app)
        self.assertEqual((claims["uid"], claims["premium"]), (self.place, True))
        cookie = auth.create_session_cookie(answer["idToken"], datetime.timedelta(hours=1), app=self.app)
        self.assertEqual(auth.verify_session_cookie(cookie, app=self.app)["uid"], self.place)

    def test_users_are_imported_with_their_passwords(self):
        users = [
            auth.ImportUserRecord(self.place, email=self.email, custom_claims={"a": 1}, disabled=False),
            auth.ImportUserRecord(self.place + "-2", email=self.email),
        ]
        result = auth.import_users(users, app=self.app)
        self.assertEqual((result.success_count, result.failure_count), (1, 1))
        self.assertEqual(result.errors[0].index, 1)
        self.assertEqual(auth.get_user(self.place, app=self.app).custom_claims, {"a": 1})


class AtAServer(AccountsTest):
    options = ("--accounts", "--project", PROJECT)

    def setUp(self):
        super().setUp()
        place = f"{self.server.url}/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
        for name, value in (
            ("ID_TOKEN_CERT_URI", place),
            ("COOKIE_CERT_URI", f"{self.server.url}/identitytoolkit/v3/relyingparty/publicKeys"),
        ):
            patch = mock.patch.object(_token_gen, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def test_a_token_is_verified_by_its_signature(self):
        user = self.signed_up()
        claims = auth.verify_id_token(user["idToken"], app=self.app)
        self.assertEqual((claims["uid"], claims["firebase"]["sign_in_provider"]), (user["localId"], "password"))
        head, body, signature = user["idToken"].split(".")
        with self.assertRaises(auth.InvalidIdTokenError):
            auth.verify_id_token(".".join([head, body, signature[::-1]]), app=self.app)

    def test_users_survive_a_kill_right_after_their_answer(self):
        user = self.signed_up()
        self.server.kill_and_start()
        self.assertEqual(self.signed_in().json()["localId"], user["localId"])
        self.assertEqual(refreshed(self.server, user["refreshToken"]).status_code, 200)
        self.assertEqual(auth.verify_id_token(user["idToken"], app=self.app)["uid"], user["localId"])
        self.assertEqual(reason(call(self.server, "signUp", {"email": self.email, "password": "secret"})), "EMAIL_EXISTS")

    def test_a_stranger_is_no_administrator(self):
        url = f"{self.server.url}/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts:lookup?key=any"
        for headers in ({}, {"Authorization": "Bearer owner"}, {"Authorization": "Bearer x"}):
            self.assertEqual(requests.post(url, json={}, headers=headers, timeout=30).status_code, 401)
        for path in ("", "/emulator/action", f"/emulator/v1/projects/{PROJECT}/oobCodes"):
            self.assertEqual(requests.get(self.server.url + path, timeout=30).status_code, 404)


if __name__ == "__main__":
    unittest.main()
