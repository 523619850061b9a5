"""Figures of a million records: the nodes that hold them, and the tool that lists them."""

import os
import statistics
import subprocess
import time
from pathlib import Path

from bench_lib import process_facts
from bench_lib.table import Broken, Row, mebibytes, seconds
from rig import journal
from rig.processes import Node, is_live, is_settled

MIB = 1 << 20
PATIENCE = 1800  # seconds


def large(plan) -> list[Row]:
    """Pushing, memory, restart, listing and a first snapshot with a million records."""
    world = plan.worlds.empty()
    node = plan.worlds.node(world, "a")
    few = statistics.median(_few_seconds(plan) for _ in range(plan.runs)) / plan.worlds.count
    many = _push_seconds(node, plan.records) / plan.records
    now, highest = process_facts.resident(node.program.pid)
    node.stop()
    rows = [
        Row(f"push of {plan.records:,}: time a record", f"{many * 1e6:.1f} us",
            f"of {plan.worlds.count:,}: {few * 1e6:.1f} us", many / few, "at most 1.3 times", many <= 1.3 * few),
        _memory("memory of the node that pushed them", now, highest, 150),
    ]
    ready = node.start()
    node.until(lambda s: is_settled(s, plan.records), "all films after a restart", PATIENCE, tick=0.2)
    rows.append(Row("restart with them to READY", seconds(ready), goal="under 1 s", ok=ready < 1))
    rows += _listing(plan, node)
    node.stop()
    second = plan.worlds.node(world, "b")
    rows.append(_snapshot(second, plan.records, "first snapshot of them by a second node", 250))
    second.stop()
    world.hub.stop()
    alone = Node(plan.worlds.binary, world.folder, "c", hub_data=world.folder / "hub-data")
    world.nodes.append(alone)
    rows.append(_snapshot(alone, plan.records, "node with them in its own hub", 550))
    plan.worlds.end(world)
    return rows


def _few_seconds(plan) -> float:
    """The same push, of so many films as the other figures have."""
    world = plan.worlds.empty()
    taken = _push_seconds(plan.worlds.node(world, "few"), plan.worlds.count)
    plan.worlds.end(world)
    return taken


def _push_seconds(node: Node, count: int) -> float:
    complete = node.journal.with_name("complete.jsonl")
    with complete.open("w", encoding="utf-8") as file:
        file.writelines(journal.lines(journal.made_up_films(count, seed=4), seed=4))
    size = complete.stat().st_size
    node.start()
    node.until(is_live, "a live stream", 60)
    began = time.monotonic()
    complete.rename(node.journal)
    node.until(lambda s: s["journal"]["offset"] == size and is_settled(s, count), "all acknowledged", PATIENCE, tick=0.02)
    return time.monotonic() - began


def _snapshot(node: Node, count: int, figure: str, limit: int) -> Row:
    began = time.monotonic()
    node.start(seconds=120)
    node.until(lambda s: is_settled(s, count), "all films", PATIENCE, tick=0.2)
    taken = time.monotonic() - began
    now, highest = process_facts.resident(node.program.pid)
    row = _memory(figure, now, highest, limit)
    row.against += f", in {seconds(taken)}"
    return row


def _memory(figure: str, now: int, highest: int, limit: int) -> Row:
    return Row(figure, mebibytes(now), f"highest: {mebibytes(highest)}", highest / MIB / limit, f"under {limit} MiB",
               highest < limit * MIB)


def _listing(plan, node: Node) -> list[Row]:
    rows = []
    for form in ("text", "JSON"):
        taken, memory, lines = _list(plan.worlds.binary.with_name("moviesync"), node, form)
        if form == "text" and lines < plan.records:
            raise Broken(f"moviesync list shows {lines} of {plan.records} films")
        rows.append(Row(f"moviesync list of them as {form}", seconds(taken), goal="under 20 s", ok=taken < 20))
        rows.append(Row("memory of the tool", mebibytes(memory), "", memory / (64 * MIB), "under 64 MiB",
                        memory < 64 * MIB))
    return rows


def _list(tool: Path, node: Node, form: str) -> tuple[float, int, int]:
    """Seconds, highest memory in bytes, and lines of `moviesync list`."""
    shown = node.folder / "list.out"
    command = [str(tool), "list", "--socket", str(node.socket), *(["--json"] if form == "JSON" else [])]
    began = time.monotonic()
    with shown.open("wb") as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
    taken = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Broken(f"moviesync list ended with {process.returncode}")
    with shown.open("rb") as output:
        lines = sum(1 for _ in output)
    shown.unlink()
    return taken, usage.ru_maxrss * 1024, lines
