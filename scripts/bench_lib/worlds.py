"""A world is a hub with nodes on it. Figures ask for an empty one, or for one that holds all films."""

import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench_lib.table import Broken
from rig import programs
from rig.processes import Ended, Hub, Node, is_live, is_settled

LOAD_LIMIT = 600  # seconds


@dataclass
class World:
    """A hub and the nodes on it, in a folder of their own."""

    folder: Path
    hub: Hub
    nodes: list[Node] = field(default_factory=list)
    load_seconds: float = 0
    is_quiet: bool = False

    def films_on_hub(self) -> int:
        return len(json.loads(self.hub.text("/movies.json?shallow=true")) or {})


class Worlds:
    """Makes worlds, keeps the loaded ones for the next figure, and ends all of them."""

    def __init__(self, binary: Path, journal: str):
        self.binary = binary
        self.journal = journal
        self.count = len(journal.splitlines())
        self._open: list[World] = []
        self._loaded: dict[str, World] = {}

    def empty(self) -> World:
        """A fresh hub with an empty data folder."""
        folder = programs.scratch_folder("bench")
        world = World(folder, Hub(self.binary, folder, options=["--emulator"]))
        self._open.append(world)
        return world

    def node(self, world: World, name: str, pull: str = "full", url: str = "") -> Node:
        """A node with empty state, not started yet; `url` is another way to the hub."""
        node = Node(self.binary, world.folder, name, url or world.hub.url, pull)
        world.nodes.append(node)
        return node

    def loaded(self, pull: str) -> World:
        """A world whose node `a` has pushed all films; made once for each way of pulling."""
        if pull not in self._loaded:
            self._loaded[pull] = self.newly_loaded(pull)
        return self._loaded[pull]

    def newly_loaded(self, pull: str) -> World:
        """Starts a node, moves the whole journal into place, and times it until all is acknowledged."""
        world = self.empty()
        node = self.node(world, "a", pull)
        node.start()
        node.until(is_live, "a live stream", seconds=60)
        complete = node.journal.with_name("complete.jsonl")
        complete.write_text(self.journal, encoding="utf-8")
        size = complete.stat().st_size
        began = time.monotonic()
        complete.rename(node.journal)
        node.until(
            lambda s: s["journal"]["offset"] == size and is_settled(s, self.count),
            f"{self.count} films acknowledged",
            LOAD_LIMIT,
            tick=0.02,
        )
        world.load_seconds = time.monotonic() - began
        if world.films_on_hub() != self.count:
            raise Broken(f"the node says that all is acknowledged, but the hub holds {world.films_on_hub()} films")
        return world

    def end(self, world: World) -> None:
        """Stops a world's programs and removes its folder. Raises Broken where one did not end well."""
        complaints = []
        for program in [*reversed(world.nodes), world.hub]:
            try:
                program.stop()
            except Ended as error:
                complaints.append(str(error))
        shutil.rmtree(world.folder, ignore_errors=True)
        self._open.remove(world)
        self._loaded = {pull: kept for pull, kept in self._loaded.items() if kept is not world}
        if complaints:
            raise Broken("; ".join(complaints))

    def end_all(self) -> list[str]:
        """Ends every world and says what did not end well."""
        complaints = []
        for world in list(self._open):
            try:
                self.end(world)
            except Broken as error:
                complaints.append(str(error))
        return complaints

    def last_words(self) -> list[str]:
        """The last log lines of every program that runs."""
        words = []
        for world in self._open:
            for program in [world.hub, *(node.program for node in world.nodes if node.program)]:
                words += [f"{program.name}: {line}" for line in program.last_lines(4)]
        return words


def wait_until_quiet(node: Node, seconds: float) -> None:
    """Waits until the node has sent no request for so long; raises Broken after four times that."""
    began = time.monotonic()
    requests, since = node.control.status()["remote"]["requests"], began
    while time.monotonic() - since < seconds:
        if time.monotonic() - began > 4 * seconds + 60:
            raise Broken(f"{node.name} never was quiet for {seconds:.0f} s: it goes on sending requests")
        time.sleep(1)
        node.program.check()
        now = node.control.status()["remote"]["requests"]
        if now != requests:
            requests, since = now, time.monotonic()
