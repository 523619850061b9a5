"""Figures of the server alone: requests by the second, listeners, and a million records."""

import http.client
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_lib import load, process_facts
from bench_lib.table import Broken, Row, mebibytes, seconds
from rig import programs
from rig.processes import Hub

LISTENERS = Path(__file__).with_name("listeners.py")
RECORDS_OF_A_PATCH = 500


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


def _listeners(server: Hub, count: int) -> subprocess.Popen:
    host, port = server.place
    listeners = subprocess.Popen([sys.executable, str(LISTENERS), host, str(port), str(count)], stdin=subprocess.PIPE,
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
    """Memory and start with a million records of 150 bytes."""
    with hub(plan.worlds.binary) as (server, folder):
        _fill(server, plan.records)
        full, _ = process_facts.resident(server.pid)
        server.stop()
        began = time.monotonic()
        server = Hub(plan.worlds.binary, folder)
        ready = time.monotonic() - began
        started, highest = process_facts.resident(server.pid)
        server.stop()
    limit = 600 << 20
    name = f"{plan.records:,} records of 150 bytes"
    return [
        Row(f"memory after writing {name}", mebibytes(full), "", full / limit, "under 600 MiB", full < limit),
        Row("memory after a start with them", mebibytes(started), f"highest: {mebibytes(highest)}", highest / limit,
            "under 600 MiB", highest < limit),
        Row("start with them to ready", seconds(ready), goal="under 5 s", ok=ready < 5),
    ]


def _fill(server: Hub, count: int, batch: int = 5000) -> None:
    connection = http.client.HTTPConnection(*server.place, timeout=60)
    for start in range(0, count, batch):
        records = {f"-N{number:018d}": _record(number) for number in range(start, min(start + batch, count))}
        connection.request("PATCH", "/movies.json?print=silent", json.dumps(records, separators=(",", ":")))
        answer = connection.getresponse()
        answer.read()
        if answer.status != 204:
            raise Broken(f"PATCH was answered {answer.status}")
    connection.close()


def _record(number: int) -> dict:
    """150 bytes as JSON."""
    return {"hasWatched": False, "identifier": f"{number:08x}-0000-4000-8000-{number:012x}",
            "title": f"A film that is more than long enough to fill its record {number:011d}"}
