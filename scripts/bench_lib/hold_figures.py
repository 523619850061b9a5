"""How long large writes to the hub hold others up."""

import http.client
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_lib import hub_figures, process_facts
from bench_lib.table import Broken, Row, mebibytes, seconds
from rig import journal, programs, tokens
from rig.processes import Hub

WRITERS = Path(__file__).with_name("writers.py")
RECORDS = 50_000
CONNECTIONS = 4
GOAL = 0.05  # seconds
AFTERWARDS = 3  # seconds in which what a large write leaves to do is done


class Writers:
    """Others who write all the time."""

    def __init__(self, server: Hub):
        host, port = server.place
        self.process = subprocess.Popen([sys.executable, str(WRITERS), host, str(port), str(CONNECTIONS)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self._line() != "ready":
            raise Broken("the writers could not write")

    def longest(self) -> float:
        """The longest that one has waited since the last call, in seconds."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self._line()) / 1000

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(10)

    def _line(self) -> str:
        line = self.process.stdout.readline()
        if not line:
            raise Broken("the writers have ended")
        return line.strip()


@contextmanager
def _writers(server: Hub) -> Iterator[Writers]:
    writers = Writers(server)
    try:
        yield writers
    finally:
        writers.end()


def holding(plan) -> list[Row]:
    """The longest wait of small writes while a large one is made, under the rules that are shipped."""
    rules = programs.ROOT / "config" / "database.rules.json"
    rows = []
    with hub_figures.hub(plan.worlds.binary, "--emulator", "--rules", str(rules)) as (server, _), \
            _writers(server) as writers:
        keys = [journal.uuid4(random.Random(number)) for number in range(RECORDS)]
        time.sleep(1)
        rows.append(Row(f"{CONNECTIONS} writers: longest wait, alone", seconds(writers.longest())))
        user = tokens.unsigned("anna")
        first, second = (_records(keys, version) for version in (1, 2))
        refused = _records(keys, 3)
        refused[keys[-1]]["title"] = 7
        everything = {key: {**record, "_t": 1} for key, record in first.items()}
        for figure, method, records, token, status in (
            (f"while a PATCH of {RECORDS:,} is taken", "PATCH", first, user, 204),
            ("while one replaces them all", "PATCH", second, user, 204),
            ("while one is refused", "PATCH", refused, user, 401),
            ("while a PUT replaces the collection", "PUT", everything, "owner", 204),
            ("while the collection is deleted", "PUT", None, "owner", 204),
        ):
            rows.append(_row(figure, server, writers, _Large(method, records, token, status)))
    return rows


class _Large:
    """A large request."""

    def __init__(self, method: str, records: dict | None, token: str, status: int):
        self.method, self.token, self.status = method, token, status
        self.body = json.dumps(records, separators=(",", ":")).encode()

    def send(self, server: Hub) -> float:
        """How long it takes, in seconds."""
        connection = http.client.HTTPConnection(*server.place, timeout=120)
        began = time.monotonic()
        connection.request(self.method, "/movies.json?print=silent", self.body,
                           {"Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status != self.status:
            raise Broken(f"a large {self.method} was answered {answer.status}: {text[:100]!r}")
        return time.monotonic() - began


def _row(figure: str, server: Hub, writers: Writers, large: _Large) -> Row:
    before = process_facts.highest_from_now(server.pid)
    writers.longest()
    taken = large.send(server)
    during = writers.longest()
    _, highest = process_facts.resident(server.pid)
    time.sleep(AFTERWARDS)
    longest = max(during, after := writers.longest())
    against = (f"afterwards: {seconds(after)}; {len(large.body) / (1 << 20):.0f} MiB in {seconds(taken)}, "
               f"memory {mebibytes(highest - before)} more")
    return Row(figure, seconds(during), against, longest / GOAL, "at most 50 ms", longest <= GOAL)


def _records(keys: list[str], version: int) -> dict[str, dict]:
    """What a node pushes in one request: films that each replace the version before."""
    def stamp(number: int) -> str:
        return f"{number:012x}-0000-{0:016x}"

    return {key: {"_t": {".sv": "timestamp"}, "_v": stamp(version),
                  **({"_b": stamp(version - 1)} if version > 1 else {}), "identifier": key, "hasWatched": False,
                  "title": f"A film that is more than long enough to fill its record {number:011d}"}
            for number, key in enumerate(keys)}
