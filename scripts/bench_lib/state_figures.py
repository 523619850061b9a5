"""Figures of a node's state: how fast a journal gets into it."""

import json
import random
import sqlite3
import statistics
import time
from pathlib import Path

from bench_lib.table import Row
from rig import journal
from rig.processes import is_live

LINES = 200_000
SCHEMA = """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE record (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, pending INTEGER NOT NULL);
    CREATE TABLE change (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL);
    CREATE TABLE operation (opID TEXT PRIMARY KEY) WITHOUT ROWID;
"""


def ingest(plan) -> list[Row]:
    """A journal read into the state with the push paused, against Python with its json and sqlite3."""
    text = _lines_with_operation_ids(LINES)
    ours, theirs = [], []
    for _ in range(plan.runs):
        world = plan.worlds.empty()
        ours.append(_ingest_seconds(plan, world, text))
        theirs.append(_script_seconds(world.folder / "rival.sqlite", text))
        plan.worlds.end(world)
    rate = LINES / statistics.median(ours)
    rival = LINES / statistics.median(theirs)
    return [Row(f"{LINES:,} journal lines into the state", f"{rate:,.0f}/s", f"Python's sqlite3: {rival:,.0f}/s",
                rate / rival, "over 100,000/s", rate > 100_000)]


def _lines_with_operation_ids(count: int) -> str:
    source = random.Random(3)
    films = journal.made_up_films(count, seed=3)
    return "".join(f'{line[:-2]},"opID":"{journal.uuid4(source)}"}}\n' for line in journal.lines(films, seed=3))


def _ingest_seconds(plan, world, text: str) -> float:
    """How long a running node takes to read the journal that is moved into its place."""
    node = plan.worlds.node(world, "a")
    node.start()
    node.until(is_live, "a live stream", seconds=60)
    node.control.ask("POST", "/v1/pause?direction=push")
    complete = node.journal.with_name("complete.jsonl")
    complete.write_text(text, encoding="utf-8")
    size = complete.stat().st_size
    began = time.monotonic()
    complete.rename(node.journal)
    node.until(lambda status: status["journal"]["offset"] == size, "the journal read", 300, tick=0.005)
    return time.monotonic() - began


def _script_seconds(path: Path, text: str) -> float:
    """How long a script takes to note the same lines, each in the three tables, 1,000 in a transaction."""
    database = sqlite3.connect(path)
    database.executescript(SCHEMA)
    began = time.monotonic()
    lines = text.splitlines()
    for start in range(0, len(lines), 1000):
        operations = [json.loads(line) for line in lines[start:start + 1000]]
        rows = [(one["id"], json.dumps(one["fields"], sort_keys=True)) for one in operations]
        with database:
            database.executemany("INSERT INTO record (id, text, pending) VALUES (?, ?, 1)", rows)
            database.executemany("INSERT INTO change (kind, id, text) VALUES ('create', ?, ?)", rows)
            database.executemany("INSERT OR IGNORE INTO operation VALUES (?)", ((one["opID"],) for one in operations))
    taken = time.monotonic() - began
    database.close()
    return taken
