"""Figures of the server alone: requests by the second, listeners, and a million records."""

import http.client
import json
import random
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_lib import load, process_facts
from bench_lib.table import Broken, Row, mebibytes, seconds
from rig import journal, programs
from rig.processes import Hub, Node

LISTENERS = Path(__file__).with_name("listeners.py")
RECORDS_OF_A_PATCH = 500
IDLE_STREAMS = 10_000
FEW = 36_000  # records that a hub with few has
SLOW_BYTES = 20 << 20  # what a slow reader takes of an answer


@contextmanager
def hub(binary: Path, *arguments: str) -> Iterator[tuple[Hub, Path]]:
    """A hub with an empty data folder, and the folder it is in."""
    folder = programs.scratch_folder("bench")
    server = Hub(binary, folder, options=arguments)
    try:
        yield server, folder
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def requests(plan) -> list[Row]:
    """PUT, GET and PATCH of 500 with 32 connections, durable and not, beside nginx and the disk."""
    measured: dict[str, list[float]] = {}
    for _ in range(plan.runs):
        with hub(plan.worlds.binary) as (server, folder):
            measured.setdefault("disk", []).append(load.synchronizations(folder, 1))
            measured.setdefault("nginx", []).append(load.nginx_rate(folder, plan.load_seconds).per_second)
            for kind in ("put", "get", "patch"):
                measured.setdefault(kind, []).append(load.rate(server.url, kind, plan.load_seconds).per_second)
        with hub(plan.worlds.binary, "--fsync", "never") as (server, _):
            for kind in ("put", "patch"):
                name = f"{kind}, fsync never"
                measured.setdefault(name, []).append(load.rate(server.url, kind, plan.load_seconds).per_second)
    rates = {name: statistics.median(values) for name, values in measured.items()}
    nginx = f"nginx, static 200: {rates['nginx']:,.0f}/s"
    rows = [Row("one fdatasync after the other", f"{rates['disk']:,.0f}/s")]
    for kind, goal in (("put", 20_000), ("get", None)):
        rows.append(_row(f"{kind.upper()} of a small record", rates[kind], nginx, rates["nginx"], goal))
    rows.append(_row("PUT, fsync never", rates["put, fsync never"], nginx, rates["nginx"]))
    for name in ("patch", "patch, fsync never"):
        goal = 150_000 if name == "patch" else None
        rows.append(_row(name.replace("patch", "PATCH of 500: records"), rates[name] * RECORDS_OF_A_PATCH, goal=goal))
    return rows


def _row(figure: str, rate: float, against: str = "", other: float | None = None, goal: int | None = None) -> Row:
    ratio = None if other is None else rate / other
    return Row(figure, f"{rate:,.0f}/s", against, ratio, f"over {goal:,}/s" if goal else "",
               rate > goal if goal else None)


def listeners(plan) -> list[Row]:
    """PUT and PATCH while one and 1,000 event streams at the root of the collection are told of everything."""
    rows = []
    for count in (1, 1000):
        for kind, records in (("put", 1), ("patch", RECORDS_OF_A_PATCH)):
            with hub(plan.worlds.binary) as (server, _):
                listeners = _listeners(server, count)
                rate = load.rate(server.url, kind, plan.load_seconds)
                events, cut = _told(listeners)
                now, _ = process_facts.resident(server.pid)
            name = "PUT" if kind == "put" else "PATCH of 500: records"
            rows.append(Row(f"{name} with {count:,} listeners", f"{rate.per_second * records:,.0f}/s",
                            f"events told: {events / plan.load_seconds:,.0f}/s, streams cut: {cut}, "
                            f"memory {mebibytes(now)}"))
    return rows


def idle(plan) -> list[Row]:
    """PUT beside 10,000 event streams that are told of nothing, against PUT without them."""
    with hub(plan.worlds.binary) as (server, _):
        alone = load.rate(server.url, "put", plan.load_seconds).per_second
        before, _ = process_facts.resident(server.pid)
        began = time.monotonic()
        listeners = _listeners(server, IDLE_STREAMS, "/idle.json")
        opened = time.monotonic() - began
        now, _ = process_facts.resident(server.pid)
        rate = load.rate(server.url, "put", plan.load_seconds).per_second
        _, cut = _told(listeners)
    if cut:
        raise Broken(f"{cut} of {IDLE_STREAMS} idle streams were cut")
    each = (now - before) / IDLE_STREAMS / 1024
    return [Row(f"{IDLE_STREAMS:,} idle streams opened", seconds(opened), f"memory of each: {each:.1f} KiB"),
            Row("PUT beside them", f"{rate:,.0f}/s", f"without them: {alone:,.0f}/s", rate / alone)]


def _listeners(server: Hub, count: int, path: str = "/movies.json") -> subprocess.Popen:
    host, port = server.place
    listeners = subprocess.Popen([sys.executable, str(LISTENERS), host, str(port), str(count), path], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    if listeners.stdout.readline().strip() != "ready":
        raise Broken(f"{count} event streams could not be opened")
    return listeners


def _told(listeners: subprocess.Popen) -> tuple[int, int]:
    """Ends the streams; how many events came, and how many streams the server had cut."""
    answer, _ = listeners.communicate("", timeout=60)
    if listeners.returncode != 0:
        raise Broken("the event streams could not be read")
    events, cut = answer.split()
    return int(events), int(cut)


def million(plan) -> list[Row]:
    """Memory, start, reading and writing with a million records of 150 bytes."""
    with hub(plan.worlds.binary) as (server, folder):
        small = _patch_cost(server, seed=1)
        _fill(server, plan.records)
        full, _ = process_facts.resident(server.pid)
        server.stop()
        began = time.monotonic()
        server = Hub(plan.worlds.binary, folder)
        ready = time.monotonic() - began
        server.text("/movies.json?orderBy=%22$key%22&limitToFirst=1")
        answered = time.monotonic() - began
        started, highest = process_facts.resident(server.pid)
        reading = [_reading_cost(server, stream) for stream in (False, True)]
        large = _patch_cost(server, seed=2)
        server.stop()
        node = Node(plan.worlds.binary, folder, "daemon", hub_data=folder / "hub-data")
        daemon_ready = node.start()
        node.stop()
    memory, more = 330 << 20, 100 << 20
    name = f"{plan.records:,} records of 150 bytes"
    return [
        Row(f"memory after writing {name}", mebibytes(full), "", full / memory, "under 330 MiB", full < memory),
        Row("memory after a start with them", mebibytes(started), f"highest: {mebibytes(highest)}", highest / memory,
            "under 330 MiB", highest < memory),
        Row("start with them to listening", seconds(ready), goal="under 1 s", ok=ready < 1),
        Row("start with them to the first answer", seconds(answered)),
        Row("daemon with them in its own hub to READY", seconds(daemon_ready), goal="under 1 s", ok=daemon_ready < 1),
        Row("memory more while a slow GET reads them", mebibytes(reading[0]), "", reading[0] / more, "under 100 MiB",
            reading[0] < more),
        Row("memory more while a slow stream opens", mebibytes(reading[1]), "", reading[1] / more, "under 100 MiB",
            reading[1] < more),
        Row("PATCH of 500: CPU a record among them", f"{large * 1e6:.1f} us", f"among {FEW:,}: {small * 1e6:.1f} us",
            large / small, "at most 1.3 times", large <= 1.3 * small),
    ]


def _patch_cost(server: Hub, seed: int) -> float:
    """CPU seconds of the hub for each record of PATCHes of 500, whose keys are random and whose dates it fills in."""
    source = random.Random(seed)
    bodies = []
    for _ in range(FEW // RECORDS_OF_A_PATCH):
        records = {journal.uuid4(source): {**_record(number), "_t": {".sv": "timestamp"}}
                   for number in range(RECORDS_OF_A_PATCH)}
        bodies.append(json.dumps(records, separators=(",", ":")))
    before = process_facts.usage(server.pid).cpu_seconds
    _patch(server, bodies)
    return (process_facts.usage(server.pid).cpu_seconds - before) / FEW


def _reading_cost(server: Hub, stream: bool) -> int:
    """How much more memory the hub takes while a slow reader is sent everything, in bytes."""
    before = process_facts.highest_from_now(server.pid)
    with socket.create_connection(server.place) as connection:
        accept = "Accept: text/event-stream\r\n" if stream else ""
        connection.sendall(f"GET /movies.json HTTP/1.1\r\nHost: localhost\r\n{accept}\r\n".encode())
        received = 0
        while received < SLOW_BYTES:
            time.sleep(0.01)
            part = connection.recv(1 << 20)
            if not part:
                raise Broken(f"the hub ended the answer after {received} bytes")
            received += len(part)
        _, highest = process_facts.resident(server.pid)
    return highest - before


def _fill(server: Hub, count: int, batch: int = 5000) -> None:
    starts = range(0, count, batch)
    _patch(server, (
        json.dumps({f"-N{number:018d}": _record(number) for number in range(start, min(start + batch, count))},
                   separators=(",", ":")) for start in starts))


def _patch(server: Hub, bodies: Iterable[str]) -> None:
    connection = http.client.HTTPConnection(*server.place, timeout=60)
    for body in bodies:
        connection.request("PATCH", "/movies.json?print=silent", body)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 204:
            raise Broken(f"PATCH was answered {answer.status}")
    connection.close()


def _record(number: int) -> dict:
    """150 bytes as JSON."""
    return {"hasWatched": False, "identifier": f"{number:08x}-0000-4000-8000-{number:012x}",
            "title": f"A film that is more than long enough to fill its record {number:011d}"}
