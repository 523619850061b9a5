"""The figures: each is a function that measures one thing and returns its rows."""

import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench_lib import (
    edit_figures, far_figures, hold_figures, hub_figures, large_figures, plugin_figures, process_facts, refusal_figures,
    rivals, state_figures, web_figures,
)
from bench_lib.listener import Listener
from bench_lib.table import Broken, Row, mebibytes, seconds
from bench_lib.worlds import Worlds, wait_until_quiet
from rig import journal, libraries
from rig.processes import is_live, is_settled


@dataclass
class Plan:
    """What a run measures with: the worlds, and how long or how often."""

    worlds: Worlds
    runs: int
    appends: int
    idle_seconds: float
    quiet_seconds: float
    load_seconds: float
    records: int


def push(plan: Plan) -> list[Row]:
    """Journal to all acknowledged, against Google's library: one call a film, and batches of 500."""
    times = [plan.worlds.loaded("full").load_seconds]
    for _ in range(plan.runs - 1):
        world = plan.worlds.newly_loaded("full")
        times.append(world.load_seconds)
        plan.worlds.end(world)
    ours = statistics.median(times)
    rows = []
    for mode, runs, name in (("set", 1, "set, a call a film"), ("update", plan.runs, "update, 500 a call")):
        theirs = statistics.median(_library_seconds(plan, mode) for _ in range(runs))
        against = f"firebase-admin {name}: {seconds(theirs)}"
        figure = f"push of {plan.worlds.count} films"
        if mode == "set":
            rows.append(Row(figure, seconds(ours), against, theirs / ours, "15 times faster", theirs / ours >= 15))
        else:
            ratio = ours / theirs
            rows.append(Row(figure, seconds(ours), against, ratio, "at most 1.2 times its time", ratio <= 1.2))
    return rows


def _library_seconds(plan: Plan, mode: str) -> float:
    world = plan.worlds.empty()
    file = world.folder / "journal.jsonl"
    file.write_text(plan.worlds.journal, encoding="utf-8")
    taken = rivals.library_seconds(mode, world.hub.url, file)
    plan.worlds.end(world)
    return taken


def second(plan: Plan) -> list[Row]:
    """A second node: from its start with empty state until it is equal, against the push."""
    world = plan.worlds.loaded("full")
    times = []
    for run in range(plan.runs):
        node = plan.worlds.node(world, f"second{run}")
        began = time.monotonic()
        node.start(seconds=120)
        node.until(lambda s: is_settled(s, plan.worlds.count), "all films", 600, tick=0.005)
        times.append(time.monotonic() - began)
        if difference := libraries.difference(world.hub, (world.nodes[0], node)):
            raise Broken(f"all nodes say that all is done, but {difference}")
        node.stop()
    ours = statistics.median(times)
    ratio = ours / world.load_seconds
    return [Row("second node, empty to equal", seconds(ours), f"the push: {seconds(world.load_seconds)}", ratio,
                "no slower", ratio <= 1)]


def latency(plan: Plan) -> list[Row]:
    """One line appended to one film seen on the hub, one at a time, against bare PUTs."""
    world = plan.worlds.empty()
    node = plan.worlds.node(world, "a")
    node.start()
    node.until(is_live, "a live stream", 60)
    listener = Listener(world.hub.place)
    source = random.Random(7)
    times, bodies = [], []
    for number, film in enumerate(journal.made_up_films(plan.appends, seed=7), start=1):
        identifier = journal.uuid4(source)
        fields = {"title": film["title"], "hasWatched": False, "year": film["year"]}
        bodies.append((identifier, json.dumps({"identifier": identifier, **fields}).encode()))
        began = time.perf_counter()
        node.append(journal.line(identifier, fields))
        times.append(listener.seen(identifier) - began)
        node.until(lambda s, films=number: is_settled(s, films), "the film acknowledged", 10, tick=0.001)
    listener.close()
    ours = statistics.median(times)
    bare = statistics.median(rivals.bare_put_seconds(world.hub.place, bodies))
    plan.worlds.end(world)
    worst = sorted(times)[int(len(times) * 0.99)]
    return [Row("append to seen on the hub, median", f"{seconds(ours)} (p99 {seconds(worst)})",
                f"bare PUT: {seconds(bare)}", ours / bare, "within 2.5 times", ours <= 2.5 * bare)]


def memory(plan: Plan) -> list[Row]:
    """Resident memory of the daemon after it has pushed all films."""
    node = plan.worlds.loaded("full").nodes[0]
    now, highest = process_facts.resident(node.program.pid)
    limit = 120 << 20
    return [Row(f"resident memory with {plan.worlds.count} films", mebibytes(now), f"highest: {mebibytes(highest)}",
                now / limit, "under 120 MiB", now < limit)]


def idle(plan: Plan) -> list[Row]:
    """What a node with nothing to do does for a minute, its stream live."""
    node = plan.worlds.loaded("incremental").nodes[0]
    wait_until_quiet(node, plan.quiet_seconds)
    if not is_live(node.control.status()):
        raise Broken("the stream is not live")
    requests = node.control.status()["remote"]["requests"]
    before = process_facts.usage(node.program.pid)
    time.sleep(plan.idle_seconds)
    after = process_facts.usage(node.program.pid)
    status = node.control.status()
    if not is_live(status):
        raise Broken("the stream was lost while idle")
    sent = status["remote"]["requests"] - requests
    written = after.bytes_written - before.bytes_written
    share = (after.cpu_seconds - before.cpu_seconds) / plan.idle_seconds
    figure = f"idle {plan.idle_seconds:.0f} s"
    return [
        Row(f"{figure}: requests", str(sent), goal="none", ok=sent == 0),
        Row(f"{figure}: bytes written", str(written), goal="none", ok=written == 0),
        Row(f"{figure}: CPU", f"{share * 100:.2f} %", goal="under 0.2 %", ok=share < 0.002),
    ]


def restart(plan: Plan) -> list[Row]:
    """A restart with all films: time to READY, and what is sent and fetched again with `pull: incremental`."""
    world = plan.worlds.loaded("incremental")
    node = world.nodes[0]
    wait_until_quiet(node, plan.quiet_seconds)
    node.stop()
    ready = node.start()
    node.until(lambda s: is_settled(s, plan.worlds.count), "all films, stream live", 60)
    time.sleep(2)  # what it would still fetch without need
    remote = node.control.status()["remote"]
    whole = len(world.hub.text("/movies.json"))
    limit = max(4096, whole // 100)
    received, sent = remote["bytesReceived"], remote["bytesSent"]
    return [
        Row(f"restart with {plan.worlds.count} films to READY", seconds(ready), goal="under 1 s", ok=ready < 1),
        Row("after it: bytes received", f"{received} in {remote['requests']} requests", f"all films: {whole}",
            received / whole, "no film again", received < limit),
        Row("after it: bytes sent", str(sent), f"all films: {whole}", sent / whole, "no film again", sent < limit),
    ]


FIGURES: dict[str, Callable[[Plan], list[Row]]] = {
    "push": push,
    "ingest": state_figures.ingest,
    "memory": memory,
    "second": second,
    "latency": latency,
    "far": far_figures.latency_of_far_hub,
    "parted": far_figures.parted,
    "guarded": edit_figures.guarded,
    "idle": idle,
    "restart": restart,
    "catalogs": plugin_figures.catalogs,
    "webhooks": plugin_figures.webhooks,
    "web": web_figures.page,
    "large": large_figures.large,
    "hub-requests": hub_figures.requests,
    "hub-listeners": hub_figures.listeners,
    "hub-idle": hub_figures.idle,
    "hub-million": hub_figures.million,
    "hub-holding": hold_figures.holding,
    "hub-refused": refusal_figures.refused,
}


def journal_of(count: int, sample: Path | None) -> str:
    """The journal to measure with: real films from a file of them, else made-up ones."""
    if sample is None:
        films = journal.made_up_films(count, seed=1)
    else:
        films = (json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines())
    lines = list(journal.lines(films, seed=1))[:count]
    if len(lines) < count:
        raise Broken(f"{sample} has {len(lines)} films, {count} were asked for")
    return "".join(lines)
