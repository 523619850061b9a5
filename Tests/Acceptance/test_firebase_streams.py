"""The event streams of the local Firebase over bare HTTP, as curl sees them."""

import signal
import socket
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from curl_case import WithCurl  # noqa: E402
from rig import tokens  # noqa: E402


class ManyClients(WithCurl):
    def test_thousands_may_wait_to_be_accepted(self):
        with open("/proc/sys/net/core/somaxconn", encoding="ascii") as limit:
            if int(limit.read()) < 4096:
                self.skipTest("this kernel lets fewer wait (net.core.somaxconn)")
        self.assertEqual(self.curl("GET", "/a.json").status, 200)
        # It answers nobody now; the kernel still takes connections, as many as may wait.
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            clients = [socket.create_connection(self.server.place, timeout=10) for _ in range(600)]
        finally:
            self.server.process.send_signal(signal.SIGCONT)
        self.addCleanup(lambda: [client.close() for client in clients])
        self.assertEqual(self.curl("GET", "/a.json").status, 200)


class WithStreams(WithCurl):
    def listen(self, path: str):
        """The lines of a stream, its head first."""
        command = ["curl", "--silent", "--no-buffer", "--include", "--globoff", "--max-time", "60"]
        process = subprocess.Popen(
            [*command, "--header", "Accept: text/event-stream", self.url(path)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process.stdout

    def expect(self, lines, *wanted: str):
        self.assertEqual([lines.readline() for _ in wanted], [line + "\n" for line in wanted])

    def after_head(self, lines) -> str:
        while lines.readline().strip():
            pass
        return lines.readline()


class Streams(WithStreams):
    def test_a_stream_tells_what_changes(self):
        self.curl("PUT", "/m.json", '{"a":1}')
        lines = self.listen("/m.json")
        self.assertEqual(lines.readline().split()[1], "200")
        head = {}
        while line := lines.readline().strip():
            name, _, value = line.partition(": ")
            head[name.lower()] = value
        self.assertEqual(head["content-type"], "text/event-stream; charset=utf-8")
        self.assertEqual(head["cache-control"], "no-cache")
        self.expect(lines, "event: put", 'data: {"path":"/","data":{"a":1}}', "")
        self.curl("PUT", "/m/b.json", '"é"')
        self.expect(lines, "event: put", 'data: {"path":"/b","data":"é"}', "")
        self.curl("PATCH", "/m.json", '{"a":null,"c/d":2}')
        self.expect(lines, "event: patch", 'data: {"path":"/","data":{"a":null,"c/d":2}}', "")
        self.curl("DELETE", "/.json")
        self.expect(lines, "event: put", 'data: {"path":"/","data":null}', "")

    def test_a_stream_ends_with_its_token(self):
        self.assertEqual(self.put_rules('{"rules":{".read":"auth.uid == \'me\'",".write":false}}').status, 200)
        lines = self.listen(f"/m.json?auth={tokens.unsigned('me', seconds=2)}")
        self.assertEqual(self.after_head(lines), "event: put\n")
        self.expect(lines, 'data: {"path":"/","data":null}', "")
        self.expect(lines, "event: auth_revoked", "data: credential is no longer valid", "")
        self.assertEqual(lines.read(), "")

    def test_a_stream_ends_when_new_rules_forbid_it(self):
        lines = self.listen("/m.json")
        self.assertEqual(self.after_head(lines), "event: put\n")
        self.expect(lines, 'data: {"path":"/","data":null}', "")
        self.assertEqual(self.put_rules('{"rules":{".read":false}}').status, 200)
        self.expect(lines, "event: cancel", "data: null", "")
        self.assertEqual(lines.read(), "")


class IdleStreams(WithStreams):
    options = ("--emulator", "--keep-alive", "500ms")

    def test_an_idle_stream_is_kept_alive(self):
        lines = self.listen("/m.json")
        self.assertEqual(self.after_head(lines), "event: put\n")
        self.expect(lines, 'data: {"path":"/","data":null}', "")
        self.expect(lines, "event: keep-alive", "data: null", "")


if __name__ == "__main__":
    unittest.main()
