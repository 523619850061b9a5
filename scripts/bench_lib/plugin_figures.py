"""Figures of catalogs, plugins and webhooks: what a call through the daemon costs beyond the call itself."""

import http.client
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from bench_lib.table import Row, seconds
from rig import journal
from rig.catalog import Catalog
from rig.processes import Node, is_live, is_settled, quoted

PLUGIN = Path(__file__).with_name("measured_plugin.py")
CALLS = 30  # fewer than what a source's pace lets through at once
SAVES = 1_000
EVENTS = 2_000


def catalogs(plan) -> list[Row]:
    """A search through the daemon to its first row, against the same question asked without it."""
    world = plan.worlds.empty()
    source = Catalog()
    address = str(world.folder / "plugin.sock")
    listener = subprocess.Popen([sys.executable, str(PLUGIN), address])
    try:
        node = plan.worlds.node(world, "a")
        with node.config.open("a", encoding="utf-8") as settings:
            settings.write(node.catalog_settings(source))
            settings.write(
                f"plugins:\n  child: {{command: [{quoted(sys.executable)}, {quoted(PLUGIN)}]}}\n"
                f"  unit: {{socket: {quoted(address)}}}\n")
        node.start()
        node.until(is_live, "a live stream", 60)
        bare, direct = _bare_seconds(source), _direct_seconds()
        rows = [_search(node, "tmdb", "in the daemon", "bare request", bare)]
        for name, place in (("child", "a child"), ("unit", "on a socket")):
            rows.append(_search(node, name, place, "the program asked directly", direct))
        rows.append(_saves(node))
    finally:
        listener.kill()
        listener.wait()
        source.stop()
    plan.worlds.end(world)
    return rows


def _median(call: Callable[[int], object]) -> float:
    """The median time of a call, asked for something else each time; the first one opens connections."""
    times = []
    for number in range(CALLS + 1):
        began = time.perf_counter()
        call(number)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def _search(node: Node, catalog: str, place: str, against: str, theirs: float) -> Row:
    ours = _median(lambda number: node.control.ask("GET", f"/v1/catalogs/{catalog}/search?query=third{number}"))
    return Row(f"search, catalog {place}", seconds(ours), f"{against}: {seconds(theirs)}", ours / theirs)


def _bare_seconds(source: Catalog) -> float:
    connection = http.client.HTTPConnection(urlsplit(source.url).netloc, timeout=30)

    def ask(number: int) -> None:
        connection.request("GET", f"/3/search/movie?query=third{number}")
        json.loads(connection.getresponse().read())

    median = _median(ask)
    connection.close()
    return median


def _direct_seconds() -> float:
    """A call of the plugin's program over its own pipes."""
    with subprocess.Popen(
        [sys.executable, str(PLUGIN)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:

        def ask(number: int) -> None:
            call = {"id": number, "call": "catalog.search", "with": {"query": f"third{number}", "page": None}}
            program.stdin.write(json.dumps(call) + "\n")
            program.stdin.flush()
            while "ok" not in json.loads(program.stdout.readline()):
                pass

        median = _median(ask)
        program.stdin.close()
    return median


def _saves(node: Node) -> Row:
    """1,000 rows of a catalog picked, appended and on the hub, against as many films that are just appended."""
    plain = _pushed(node, journal.lines(journal.made_up_films(SAVES, seed=3), seed=3), SAVES)
    began = time.perf_counter()
    found = node.control.ask("GET", "/v1/catalogs/child/lists/all")
    while found["held"] < SAVES:
        found = node.control.ask("POST", f"/v1/catalogs/sets/{found['set']}/more")
    picks = node.control.ask(
        "POST", f"/v1/catalogs/sets/{found['set']}/picks", {"pick": list(range(1, SAVES + 1))})["picks"]
    lines = [journal.line(pick["id"], pick["fields"]) for pick in picks]
    asked = time.perf_counter() - began
    ours = asked + _pushed(node, lines, 2 * SAVES)
    return Row(f"{SAVES} saves from a catalog to all on the hub", seconds(ours), f"just appended: {seconds(plain)}",
               ours / plain)


def _pushed(node: Node, lines, records: int) -> float:
    began = time.perf_counter()
    node.append("".join(lines))
    node.until(lambda s: is_settled(s, records), f"{records} films acknowledged", 120, tick=0.005)
    return time.perf_counter() - began


class _Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.server.count += 1
        if self.server.count == EVENTS:
            self.server.complete.set()

    def log_message(self, *_arguments) -> None:
        pass


def webhooks(plan) -> list[Row]:
    """Events delivered to a webhook, one after the other, against bare requests over a kept connection."""
    receiver = ThreadingHTTPServer(("127.0.0.1", 0), _Receiver)
    receiver.daemon_threads = True
    thread = threading.Thread(target=receiver.serve_forever, name="receiver")
    thread.start()
    world = plan.worlds.empty()
    try:
        bare = _posts_seconds(receiver)
        receiver.count, receiver.complete = 0, threading.Event()
        node = plan.worlds.node(world, "a")
        secret = world.folder / "secret"
        secret.touch(mode=0o600)
        secret.write_text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", encoding="utf-8")
        with node.config.open("a", encoding="utf-8") as settings:
            settings.write(
                f"webhooks:\n  measured: {{url: 'http://127.0.0.1:{receiver.server_address[1]}/', "
                f"secretFile: {quoted(secret)}, allowPrivate: true}}\n")
        node.start()
        node.until(is_live, "a live stream", 60)
        began = time.perf_counter()
        node.append("".join(journal.lines(journal.made_up_films(EVENTS, seed=5), seed=5)))
        if not receiver.complete.wait(300):
            raise TimeoutError(f"of {EVENTS} events {receiver.count} came within 300 s")
        ours = time.perf_counter() - began
    finally:
        receiver.shutdown()
        thread.join()
        receiver.server_close()
    plan.worlds.end(world)
    return [Row("webhook, from journal to delivered", f"{EVENTS / ours:,.0f} events/s",
                f"bare POSTs: {EVENTS / bare:,.0f}/s", ours / bare)]


def _posts_seconds(receiver: ThreadingHTTPServer) -> float:
    receiver.count, receiver.complete = 0, threading.Event()
    connection = http.client.HTTPConnection("127.0.0.1", receiver.server_address[1], timeout=30)
    began = time.perf_counter()
    for _ in range(EVENTS):
        connection.request("POST", "/", body=b"{}" * 200)
        connection.getresponse().read()
    taken = time.perf_counter() - began
    connection.close()
    return taken
