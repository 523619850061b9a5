"""Whole nodes on a hub, driven from outside as users, programs and apps do it, and killed at bad moments.

Takes the programs of MOVIESYNC_BIN, else the debug build, which must be there: `swift build` first.
"""

import json
import random
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from rig import journal, libraries, programs  # noqa: E402
from rig.processes import Ended, Hub, Node, clean_environment, is_live, is_settled  # noqa: E402

BINARY = (programs.given() or programs.ROOT / ".build" / "debug") / "moviesyncd"
LIMIT = 60  # seconds that any one thing may take


def operation(op: str, identifier: str, **fields) -> str:
    """A journal line without a time."""
    body = {"op": op, "id": identifier} | ({"fields": fields} if fields else {})
    return json.dumps(body) + "\n"


def film_lines(count: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Journal lines that create films, and the films' ids."""
    lines = list(journal.lines(journal.made_up_films(count, seed), seed))
    return lines, [json.loads(line)["id"] for line in lines]


class OnAHub(unittest.TestCase):
    """A fresh hub for each test; what a test starts is ended and removed, and must end well."""

    def setUp(self):
        if not BINARY.is_file():
            self.fail(f"{BINARY} is not there: run swift build, or name a folder in MOVIESYNC_BIN")
        self.folder = programs.scratch_folder("test")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.nodes: list[Node] = []
        self.start_hub()

    def start_hub(self, listen: str = "127.0.0.1:0"):
        self.hub = Hub(BINARY, self.folder, listen)
        self.addCleanup(self.hub.stop)

    def start(self, name: str) -> Node:
        """A new node, live."""
        node = Node(BINARY, self.folder, name, self.hub.url)
        self.addCleanup(node.stop)
        self.nodes.append(node)
        node.start()
        node.until(is_live, "a live stream", LIMIT)
        return node

    def start_with_films(self, name: str, count: int) -> tuple[Node, list[str]]:
        """A new node whose films are on the hub; and their ids."""
        lines, ids = film_lines(count)
        node = self.start(name)
        node.append("".join(lines))
        node.until(lambda s: is_settled(s, count), f"{count} films acknowledged", LIMIT)
        return node, ids

    def expect_equal(self, count: int):
        """All nodes and the hub come to hold the same so many films."""
        for node in self.nodes:
            node.until(lambda s: is_settled(s, count), f"{count} films, nothing pending", LIMIT)
        # What one node has sent, another hears of a moment later.
        for node in self.nodes:
            node.control.after_changes(lambda node=node: not libraries.difference(self.hub, [node]), "equality", LIMIT)
        self.assertEqual(libraries.difference(self.hub, self.nodes), "")


class Faults(OnAHub):
    def test_a_daemon_killed_while_loading_loses_and_doubles_nothing(self):
        lines, _ = film_lines(5000)
        node = self.start("a")
        source = random.Random(3)
        node.append("".join(lines))
        for _ in range(3):
            reached = source.randint(1, 4000)
            node.until(
                lambda s, reached=reached: s["collections"]["movies"]["records"] >= reached, "films", LIMIT, tick=0.001
            )
            node.program.kill()
            node.start()
        self.start("b")
        self.expect_equal(5000)

    def test_a_hub_killed_while_films_arrive_is_caught_up_with(self):
        lines, _ = film_lines(5000)
        node = self.start("a")
        node.append("".join(lines))
        node.until(lambda s: s["collections"]["movies"]["records"] > 0, "first films", LIMIT, tick=0.001)
        host, port = self.hub.place
        self.hub.kill()
        self.start_hub(f"{host}:{port}")
        self.start("b")
        self.expect_equal(5000)

    def test_a_journal_rotated_while_it_is_read_is_read_to_its_end(self):
        lines, _ = film_lines(4000)
        node = self.start("a")
        node.append("".join(lines[:2000]))
        node.until(lambda s: s["collections"]["movies"]["records"] > 0, "first films", LIMIT, tick=0.001)
        node.journal.rename(node.journal.with_name("journal.jsonl.1"))
        node.append("".join(lines[2000:]))
        self.expect_equal(4000)

    def is_watched_on_hub(self, film: str) -> bool:
        fields, _ = libraries.of_hub(self.hub)[film]
        return fields["hasWatched"]

    def test_edits_made_while_a_node_was_down_arrive_and_the_later_one_of_a_field_wins(self):
        first, ids = self.start_with_films("a", 10)
        second = self.start("b")
        self.expect_equal(10)
        second.stop()
        first.append(operation("update", ids[0], hasWatched=True))
        first.append(operation("update", ids[1], title="The earlier title"))
        first.until(lambda _: self.is_watched_on_hub(ids[0]), "the first edit on the hub", LIMIT)
        first.until(lambda s: is_settled(s, 10), "both edits on the hub", LIMIT)
        second.append(operation("update", ids[0], title="The later title"))
        second.append(operation("update", ids[1], title="The later title"))
        # Its edits must not be read after what they overwrite: then they would be made in the knowledge of that.
        host, port = self.hub.place
        self.hub.kill()
        second.start()
        second.until(lambda s: s["collections"]["movies"]["pending"] == 2, "its edits read", LIMIT)
        self.start_hub(f"{host}:{port}")
        self.expect_equal(10)
        films = libraries.of_hub(self.hub)
        self.assertEqual([films[key][0]["title"] for key in ids[:2]], ["The later title", "The later title"])
        self.assertTrue(films[ids[0]][0]["hasWatched"])
        conflicts = [node.control.status()["collections"]["movies"]["conflicts"] for node in self.nodes]
        self.assertGreaterEqual(sum(conflicts), 1)


class Deletes(OnAHub):
    def test_a_delete_reaches_every_node_and_leaves_a_tombstone(self):
        _, ids = self.start_with_films("a", 10)
        second = self.start("b")
        self.expect_equal(10)
        second.append(operation("delete", ids[3]))
        self.expect_equal(9)
        tombstone = json.loads(self.hub.text(f"/moviesync/tombstones/movies/{ids[3]}.json"))
        self.assertRegex(tombstone["_v"], "^[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{16}$")

    def test_a_mass_delete_by_an_app_waits_for_a_person(self):
        node, ids = self.start_with_films("a", 20)
        self.hub.text("/movies.json", "PATCH", {identifier: None for identifier in ids[:10]})
        held = node.until(lambda s: s["holds"], "a hold", LIMIT)
        self.assertEqual([hold["kind"] for hold in held["holds"]], ["massDelete"])
        self.assertEqual(held["collections"]["movies"]["records"], 20)
        node.control.ask("POST", f"/v1/holds/{held['holds'][0]['id']}/approve")
        self.expect_equal(10)

    def test_an_emptied_remote_is_filled_again_when_a_person_rejects(self):
        node, _ = self.start_with_films("a", 20)
        node.stop()
        self.hub.text("/movies.json", "DELETE")
        node.start()
        held = node.until(lambda s: s["holds"], "a hold", LIMIT)
        self.assertEqual([hold["kind"] for hold in held["holds"]], ["emptyRemote"])
        node.control.ask("POST", f"/v1/holds/{held['holds'][0]['id']}/reject")
        self.expect_equal(20)

    def test_the_one_film_that_an_older_copy_of_the_hub_lacks_waits_for_a_person(self):
        node, _ = self.start_with_films("a", 20)
        listen = ":".join(map(str, self.hub.place))
        self.hub.stop()
        data, copy = self.folder / "hub-data", self.folder / "copy"
        shutil.copytree(data, copy)
        self.start_hub(listen)
        node.until(is_live, "a live stream", LIMIT)
        lines, ids = film_lines(1, seed=2)
        node.append("".join(lines))
        status = node.until(lambda s: is_settled(s, 21), "21 films acknowledged", LIMIT)
        # A node that has another name tells the others so at once, and need not be waited for.
        node.stop()
        node.config.write_text(node.config.read_text(encoding="utf-8") + "node:\n  name: elsewhere\n", encoding="utf-8")
        node.start()
        told = f"/moviesync/nodes/{status['node']}/name.json"
        node.until(lambda s: self.hub.text(told) == b'"elsewhere"', "what the node has told", LIMIT)
        node.until(is_live, "a live stream", LIMIT)
        self.hub.stop()
        shutil.rmtree(data)
        copy.rename(data)
        self.start_hub(listen)
        held = node.until(lambda s: s["holds"], "a hold", LIMIT)
        self.assertEqual([hold["kind"] for hold in held["holds"]], ["massDelete"])
        self.assertIn(ids[0], node.records())
        node.control.ask("POST", f"/v1/holds/{held['holds'][0]['id']}/reject")
        self.expect_equal(21)


class Apps(OnAHub):
    def test_an_app_without_stamps_takes_part(self):
        self.start_with_films("a", 10)
        self.start("b")
        identifier = journal.uuid4(random.Random(9))
        film = {"identifier": identifier, "title": "From an app", "hasWatched": False}
        self.hub.text(f"/movies/{identifier}.json", "PUT", film)
        self.expect_film(identifier, "From an app", False)
        self.hub.text(f"/movies/{identifier}.json", "PUT", film | {"hasWatched": True})
        self.expect_film(identifier, "From an app", True)
        self.hub.text(f"/movies/{identifier}.json", "DELETE")
        self.expect_equal(10)

    def expect_film(self, identifier: str, title: str, watched: bool):
        """Both nodes come to show the film so."""

        def is_shown(node: Node) -> bool:
            fields = node.records().get(identifier, {}).get("fields", {})
            return (fields.get("title"), fields.get("hasWatched")) == (title, watched)

        for node in self.nodes:
            node.control.after_changes(lambda node=node: is_shown(node), f"{title} on {node.name}", LIMIT)

    def test_what_is_no_film_is_left_alone_and_blocks_nothing(self):
        node, ids = self.start_with_films("a", 10)
        self.hub.text("/movies/notes.json", "PUT", "buy popcorn")
        node.append("no json\n" + operation("update", ids[0], hasWatched=True))
        status = node.until(
            lambda s: s["collections"]["movies"]["quarantined"] + s["journal"]["quarantined"] >= 2, "both", LIMIT
        )
        self.assertEqual(status["collections"]["movies"]["records"], 10)
        node.until(lambda s: is_settled(s, 10), "the good line acknowledged", LIMIT)
        self.assertEqual(json.loads(self.hub.text("/movies/notes.json")), "buy popcorn")
        self.assertIs(json.loads(self.hub.text(f"/movies/{ids[0]}/hasWatched.json")), True)


class ExitCodes(OnAHub):
    def ended(self, *arguments: str) -> tuple[int, list[str]]:
        """Exit code and error lines of the daemon with these arguments."""
        command = [BINARY, *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, env=clean_environment(), timeout=LIMIT, check=False
        )
        return done.returncode, done.stderr.strip().splitlines()

    def test_a_second_daemon_on_the_same_state_is_refused(self):
        node = self.start("a")
        code, lines = self.ended("run", "--config", str(node.config), "--socket", str(node.folder / "other.sock"))
        self.assertEqual(code, 75, lines)

    def test_all_mistakes_in_a_configuration_are_named_at_once(self):
        config = self.folder / "bad.yaml"
        config.write_text("jurnal: /tmp/j\nclock:\n  maxAhead: soon\n", encoding="utf-8")
        code, lines = self.ended("check-config", "--config", str(config))
        self.assertEqual(code, 78, lines)
        self.assertTrue(any("bad.yaml:1:1" in line and "journal" in line for line in lines), lines)
        self.assertTrue(any("bad.yaml:3:" in line and "soon" in line for line in lines), lines)

    def test_a_start_makes_the_journals_folder(self):
        node = self.start("a")
        node.stop()
        node.journal.parent.rename(node.folder / "elsewhere")
        node.start()
        self.assertTrue(node.journal.parent.is_dir())

    def test_a_node_ends_with_0_after_sigterm(self):
        node = self.start("a")
        node.stop()
        self.assertEqual(node.program.process.returncode, 0)

    def test_a_hub_on_a_taken_port_says_so(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        with self.assertRaises(Ended):
            Hub(BINARY, elsewhere, "{}:{}".format(*self.hub.place))


if __name__ == "__main__":
    unittest.main()
