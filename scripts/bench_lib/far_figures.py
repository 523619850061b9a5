"""Figures of a node whose hub is 50 ms away, and of two nodes that were parted."""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench_lib.edits import edit, filled, line, settled_seconds
from bench_lib.listener import Listener
from bench_lib.table import Row, seconds
from rig import journal, libraries
from rig.processes import Hub, Node, is_live, is_settled

PROXY = Path(__file__).with_name("distance.py")
MILLISECONDS = 50
EDITS = 2_000
DELETES = 450
ALONE = 10
PARTED = 10_000


@contextmanager
def far(hub: Hub) -> Iterator[str]:
    """An address of the hub from where it is MILLISECONDS away."""
    host, port = hub.place
    command = [sys.executable, str(PROXY), host, str(port), str(MILLISECONDS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as proxy:
        try:
            yield f"http://127.0.0.1:{proxy.stdout.readline().strip()}"
        finally:
            proxy.stdin.close()


def latency_of_far_hub(plan) -> list[Row]:
    """Edits, deletes and single edits of records that are on a far hub."""
    world = plan.worlds.empty()
    with far(world.hub) as url:
        node = plan.worlds.node(world, "far", url=url)
        ids = filled(node, EDITS)
        edits = settled_seconds(node, "".join(edit(one, f"Edited {one}") for one in ids), EDITS)
        alone = _alone(world, node, ids[:ALONE])
        deletes = settled_seconds(node, "".join(line("delete", one) for one in ids[:DELETES]), EDITS - DELETES)
        plan.worlds.end(world)
    name = f"hub {MILLISECONDS} ms away:"
    trips = alone * 1000 / MILLISECONDS
    return [
        Row(f"{name} {EDITS} conditional edits", seconds(edits), goal="under 4 s", ok=edits < 4),
        Row(f"{name} {DELETES} deletes", seconds(deletes), goal="under 2.5 s", ok=deletes < 2.5),
        Row(f"{name} one edit to seen on it", seconds(alone), "one round trip", trips, "at most 1.5 times", trips <= 1.5),
    ]


def _alone(world, node: Node, ids: list[str]) -> float:
    """The median time from an append to the edit seen on the hub, one at a time; each record was written before."""
    times = []
    for one in ids:
        listener = Listener(world.hub.place, only_changes=True)
        began = time.perf_counter()
        node.append(edit(one, f"Once more {one}"))
        times.append(listener.seen(one) - began)
        listener.close()
        node.until(is_settled, "the edit acknowledged", 30, tick=0.005)
    return statistics.median(times)


def parted(plan) -> list[Row]:
    """10,000 edits waiting on each of two nodes when the way between them opens, against pushing 20,000 films."""
    world = plan.worlds.empty()
    nodes = [plan.worlds.node(world, name) for name in ("a", "b")]
    ids = filled(nodes[0], 2 * PARTED)
    nodes[1].start()
    nodes[1].until(lambda s: is_settled(s, 2 * PARTED), "all films", 120)
    for node in nodes:
        node.control.ask("POST", "/v1/pause")
    source = random.Random(9)
    for node in nodes:
        node.append("".join(edit(one, f"Edited on {node.name}") for one in source.sample(ids, PARTED)))
    for node in nodes:
        node.until(lambda s: s["collections"]["movies"]["pending"] == PARTED, "the edits", 120)
    began = time.monotonic()
    for node in nodes:
        node.control.ask("POST", "/v1/resume")
    for node in nodes:
        node.until(is_settled, "everything acknowledged", 300, tick=0.01)
    while difference := libraries.difference(world.hub, nodes):
        if time.monotonic() - began > 300:
            raise OSError(f"after 300 s {difference}")
        time.sleep(0.1)
    healed = time.monotonic() - began
    plan.worlds.end(world)
    plain = _plain_push(plan)
    return [Row(f"{PARTED:,} edits on each of two parted nodes to equal", seconds(healed),
                f"push of {2 * PARTED:,}: {seconds(plain)}", healed / plain)]


def _plain_push(plan) -> float:
    world = plan.worlds.empty()
    node = plan.worlds.node(world, "plain")
    node.start()
    node.until(is_live, "a live stream", 60)
    lines = journal.lines(journal.made_up_films(2 * PARTED, seed=6), seed=6)
    taken = settled_seconds(node, "".join(lines), 2 * PARTED)
    plan.worlds.end(world)
    return taken
