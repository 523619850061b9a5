"""Films put on a hub by a node, and edited."""

import json
import time

from rig import journal
from rig.processes import Node, is_live, is_settled


def filled(node: Node, count: int) -> list[str]:
    """Starts a node and gives it so many films; their ids."""
    node.start()
    node.until(is_live, "a live stream", 60)
    lines = list(journal.lines(journal.made_up_films(count, seed=5), seed=5))
    settled_seconds(node, "".join(lines), count)
    return [json.loads(line)["id"] for line in lines]


def settled_seconds(node: Node, text: str, count: int) -> float:
    """How long it takes from the append until everything is acknowledged and so many films are there."""
    began = time.monotonic()
    node.append(text)
    size = node.journal.stat().st_size
    node.until(lambda s: s["journal"]["offset"] == size and is_settled(s, count), "all acknowledged", 300, tick=0.005)
    return time.monotonic() - began


def edit(identifier: str, title: str) -> str:
    """A journal line that changes a film's title."""
    return line("update", identifier, fields={"title": title})


def line(word: str, identifier: str, **more: object) -> str:
    """A journal line."""
    return json.dumps({"op": word, "id": identifier, **more}, separators=(",", ":")) + "\n"
