"""Accounts of a hub, from its command line and over bare HTTP: export, import, keys, codes, and what is kept from whom."""

import base64
import concurrent.futures
import json
import os
import stat
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from curl_case import BINARY, WithCurl  # noqa: E402
from rig.processes import Hub  # noqa: E402

SECRET = "a-secret-of-the-hub-in-tests"
KEYS = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"


class Accounts(WithCurl):
    options = ("--accounts", "--project", "demo")

    def call(self, name: str, body: dict, *headers: str) -> dict:
        return self.curl("POST", f"/v1/accounts:{name}?key=any", json.dumps(body), *headers).value

    def refusal(self, name: str, body: dict, *headers: str) -> str | None:
        return self.call(name, body, *headers).get("error", {}).get("message")

    def sign_up(self, email: str) -> dict:
        return self.call("signUp", {"email": email, "password": "correct horse"})

    def sign_in(self, email: str) -> str | None:
        return self.refusal("signInWithPassword", {"email": email, "password": "correct horse"})

    def hub(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([BINARY, "hub", *words], capture_output=True, text=True, timeout=60, check=False)

    def data(self, folder: str = "hub-data") -> str:
        """The folder of the hub's data, or of another one."""
        return str(self.folder / folder)


class Transfer(Accounts):
    def test_an_export_is_a_private_file_that_another_hub_takes(self):
        user = self.sign_up("anna@example.org")
        file = self.folder / "accounts.json"
        out = self.hub("accounts", "export", "--data", self.data(), str(file))
        self.assertEqual((out.returncode, out.stderr), (0, f"exported 1 accounts to {file}\n"))
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        found = json.loads(file.read_text())["users"][0]
        self.assertEqual((found["localId"], found["email"]), (user["localId"], "anna@example.org"))
        other = self.data("other")
        os.mkdir(other)
        into = self.hub("accounts", "import", "--data", other, str(file))
        self.assertEqual((into.returncode, into.stderr), (0, f"imported 1 accounts from {file}\n"))
        again = self.hub("accounts", "import", "--data", other, str(file))
        self.assertEqual(again.returncode, 65)
        self.assertIn("users[0]: localId belongs to an existing account", again.stderr)
        self.curl("POST", "/v1/accounts:delete?key=any", json.dumps({"idToken": user["idToken"]}))
        self.assertEqual(self.sign_in("anna@example.org"), "INVALID_LOGIN_CREDENTIALS")
        # While the hub runs.
        self.assertEqual(self.hub("accounts", "import", "--data", self.data(), str(file)).returncode, 0)
        self.assertIsNone(self.sign_in("anna@example.org"))

    def test_a_file_without_usable_passwords_says_who_has_to_reset(self):
        file = self.folder / "theirs.json"
        file.write_text(json.dumps({"users": [
            {"localId": "one", "email": "one@example.org", "passwordHash": "AAAA", "salt": "AAAA"},
            {"localId": "two", "email": "two@example.org"},
        ]}))
        out = self.hub("accounts", "import", "--data", self.data(), str(file))
        self.assertEqual(out.returncode, 0)
        self.assertIn("1 passwords could not be taken over: these users have to reset theirs", out.stderr)
        self.assertEqual(self.sign_in("one@example.org"), "INVALID_LOGIN_CREDENTIALS")

    def test_what_is_no_export_is_refused(self):
        file = self.folder / "no.json"
        file.write_text("[]")
        for words, code in (
            (("import", "--data", self.data(), str(file)), 65),
            (("import", "--data", self.data(), str(self.folder / "missing")), 74),
            (("export", "--data", str(self.folder / "nothing"), str(file)), 73),
        ):
            out = self.hub("accounts", *words)
            self.assertEqual((out.returncode, out.stderr.count("\n")), (code, 1), out.stderr)


class Keys(Accounts):
    def key_ids(self) -> list[str]:
        return [key["kid"] for key in self.curl("GET", KEYS).value["keys"]]

    def test_a_rotation_is_noticed_by_a_running_hub(self):
        old = self.sign_up("anna@example.org")["idToken"]
        before = self.key_ids()
        out = self.hub("keys", "rotate", "--data", self.data())
        self.assertEqual(out.returncode, 0, out.stderr)
        new = out.stdout.split()[-1]
        self.assertEqual(self.key_ids(), [new] + before)
        self.assertIsNone(self.refusal("lookup", {"idToken": old}))
        token = self.sign_up("bob@example.org")["idToken"]
        head = token.split(".")[0]
        self.assertEqual(json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))["kid"], new)
        file = Path(self.data()) / "token-keys.json"
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)

    def test_there_is_nothing_to_rotate_without_a_hub(self):
        out = self.hub("keys", "rotate", "--data", str(self.folder / "nothing"))
        self.assertEqual((out.returncode, out.stderr.count("\n")), (73, 1), out.stderr)


class Secrets(Accounts):
    def test_nothing_that_is_secret_stands_in_a_file_or_the_log(self):
        user = self.sign_up("anna@example.org")
        self.sign_in("anna@example.org")
        self.refusal("signInWithPassword", {"email": "anna@example.org", "password": "battery staple"})
        self.server.stop()
        texts = [file.read_bytes() for file in self.folder.rglob("*") if file.is_file()]
        for secret in ("correct horse", "battery staple", user["refreshToken"], user["idToken"]):
            self.assertFalse([text for text in texts if secret.encode() in text], secret[:20])

    def test_a_crowd_at_the_door_leaves_the_database_open(self):
        self.sign_up("anna@example.org")
        with concurrent.futures.ThreadPoolExecutor(48) as crowd:
            waiting = [crowd.submit(self.sign_in, "anna@example.org") for _ in range(200)]
            self.assertEqual(self.curl("GET", "/films.json").status, 200)
            said = {future.result() for future in waiting}
        self.assertIn(None, said)
        self.assertLessEqual(said, {None, "The service is currently unavailable.", "TOO_MANY_ATTEMPTS_TRY_LATER"})


class Administration(Accounts):
    def setUp(self):
        super().setUp()
        file = self.folder / "secret"
        file.write_text(SECRET)
        file.chmod(0o600)
        self.options = (*Accounts.options, "--secret-file", str(file))
        self.start_again()
        self.admin = f"Authorization: Bearer {SECRET}"

    def start_again(self):
        # A hub that has answered is one that can be stopped.
        self.assertEqual(self.curl("GET", "/.json").status, 200)
        self.server.stop()
        self.server = Hub(BINARY, self.folder, options=self.options)
        self.addCleanup(self.server.stop)

    def test_the_secret_makes_an_administrator(self):
        path = "/identitytoolkit.googleapis.com/v1/projects/demo/accounts"
        made = self.curl("POST", path, json.dumps({"localId": "anna", "email": "anna@example.org"}), self.admin)
        self.assertEqual((made.status, made.value["localId"]), (200, "anna"))
        listed = self.curl("GET", path + ":batchGet?maxResults=10", None, self.admin)
        self.assertEqual([user["localId"] for user in listed.value["users"]], ["anna"])
        for header in ("Authorization: Bearer owner", "X-None: x"):
            self.assertEqual(self.curl("GET", path + ":batchGet", None, header).status, 401)

    def test_what_people_may_do_is_decided_at_run_time_and_stays(self):
        config = "/identitytoolkit.googleapis.com/v2/projects/demo/config"
        change = {"client": {"permissions": {"disabledUserSignup": True}}, "emailPrivacyConfig": {
            "enableImprovedEmailPrivacy": False}}
        self.assertEqual(self.curl("PATCH", config, json.dumps(change)).status, 401)
        self.assertEqual(self.curl("PATCH", config, json.dumps(change), self.admin).status, 200)
        for _ in range(2):
            self.assertEqual(self.refusal("signUp", {"email": "x@y.z", "password": "secret"}), "ADMIN_ONLY_OPERATION")
            self.assertEqual(self.sign_in("nobody@example.org"), "EMAIL_NOT_FOUND")
            self.start_again()


if __name__ == "__main__":
    unittest.main()
