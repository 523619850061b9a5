"""The scripts that decide something by themselves: layers, journals, the bench's table."""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import unittest
import uuid
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True

from bench_lib.table import Row, rendered  # noqa: E402
from rig.processes import is_settled, quoted  # noqa: E402

LONG_FUNCTION = """struct Long {
    package mutating func grow<T>(by: T)
        -> Int
    {
""" + "        step()\n" * 41 + """    }
    func short() {
    }
}
"""


def script(name: str):
    """A script without a suffix, as a module."""
    loader = SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def output(name: str, *arguments: str, given: str = "") -> str:
    """What a script prints; a failure fails the test."""
    done = subprocess.run([SCRIPTS / name, *arguments], input=given, capture_output=True, text=True, check=True)
    return done.stdout


class Monitoring(unittest.TestCase):
    def test_the_alerts_are_right_and_fire_when_they_should(self):
        for words in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"]):
            done = subprocess.run(["promtool", *words], cwd=ROOT / "monitoring", capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_alerts_and_dashboard_name_counters_that_there_are(self):
        counters = set(re.findall(r'add\(\s*"(\w+)"', (ROOT / "Sources/ControlServer/MetricsText.swift").read_text()))
        for name in ("alerts.yml", "dashboard.json"):
            named = set(re.findall(r"moviesync_(\w+)", (ROOT / "monitoring" / name).read_text()))
            self.assertLessEqual(named, counters, name)
            self.assertIn("oldest_pending_seconds", named)


class Layers(unittest.TestCase):
    def setUp(self):
        self.layers = script("check-layers")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def breaches(self, name: str, source: str, inside=(), libraries=(), path: str | None = None) -> list[str]:
        """What is found in a package of this one target."""
        path = path or f"Sources/{name}"
        (self.root / path).mkdir(parents=True)
        (self.root / path / "File.swift").write_text(source, encoding="utf-8")
        target = {
            "name": name, "path": path, "type": "library", "module_type": "SwiftTarget",
            "target_dependencies": list(inside), "product_dependencies": list(libraries),
        }
        return self.layers.breaches(self.root, {"targets": [target]})

    def test_what_the_table_allows_is_no_breach(self):
        source = "package import SyncModel\ninternal import struct Crypto.SHA256\nimport FoundationEssentials\n"
        self.assertEqual(self.breaches("JSONText", source, ["SyncModel", "CSimdjson"], ["Crypto"]), [])

    def test_each_breach_is_found(self):
        cases = [
            ("an arrow that points up", "SyncModel", "", ["SyncEngine"], [], "must not depend on SyncEngine"),
            ("a library in a pure target", "SyncCore", "", [], ["Logging"], "must not use the library Logging"),
            ("a library that has one home", "SyncEngine", "", [], ["Yams"], "must not use the library Yams"),
            ("an undeclared import", "SyncCore", "package import JSONText\n", [], [], "File.swift:1: import JSONText"),
            ("POSIX in the wrong place", "JournalTail", "// why\nimport Glibc\n", [], [], "File.swift:2: import Glibc"),
            ("an attribute before the import", "SyncCore", "@testable import Logging\n", [], [], "import Logging"),
            ("a file that is too long", "RTDBWire", "// a\n" * 301, [], [], "301 lines"),
            ("a function that is too long", "SyncModel", LONG_FUNCTION, [], [], "File.swift:2: a function of 41 lines"),
            ("a target without a layer", "Utilities", "", [], [], "is in no layer"),
            ("the engine in the wing", "DatabaseServer", "", ["SyncEngine"], [], "must not depend on SyncEngine"),
            ("the wing without a door", "SyncEngine", "", ["DatabaseTree"], [], "must not depend on DatabaseTree"),
            ("past the door of the wing", "Daemon", "", ["SecurityRules"], [], "must not depend on SecurityRules"),
        ]
        for name, target, source, inside, libraries, expected in cases:
            with self.subTest(name):
                found = self.breaches(target, source, inside, libraries, f"Sources/{name.replace(' ', '')}")
                self.assertTrue(any(expected in line for line in found), found)

    def test_what_is_declared_and_never_imported_is_told(self):
        (self.root / "File.swift").write_text("// import SyncModel\n", encoding="utf-8")
        target = {"name": "SyncCore", "path": ".", "target_dependencies": ["SyncModel", "CLinux"]}
        found = self.layers.import_breaches(self.root, target, {"SyncModel", "SyncCore"})
        self.assertEqual(found, ["Package.swift: SyncCore declares SyncModel and never imports it"])

    def test_a_plugin_knows_the_contracts_only(self):
        found = self.breaches("Games", "", ["PluginKit", "SyncEngine"], ["GRDB", "Hummingbird"], "Sources/Plugins/Games")
        self.assertEqual(len(found), 3, found)

    def test_a_remote_needs_no_line_in_the_tables(self):
        libraries = ["AsyncHTTPClient", "NIOCore", "Logging"]
        self.assertEqual(self.breaches("WebDAV", "", ["PluginKit", "JSONText"], libraries, "Sources/Plugins/WebDAV"), [])

    def test_a_requirement_has_no_body_that_could_be_too_long(self):
        source = "protocol P {\n    func a()\n    init()\n}\n\nlet table = [\n" + "    1,\n" * 60 + "]\n"
        source += "struct S {\n    func one() { 1 }\n" + "    let a = 1\n" * 60 + "    func b() {\n    }\n}\n"
        self.assertEqual(self.breaches("SyncModel", source), [])

    def test_a_word_in_a_comment_is_no_import(self):
        self.assertEqual(self.breaches("SyncModel", "// import Glibc\nlet importance = 1\n"), [])


class Journals(unittest.TestCase):
    def test_films_become_lines_the_same_every_time(self):
        films = "".join(json.dumps(film) + "\n" for film in (
            {"title": "Amélie", "year": 2001, "genres": ["Comedy"], "href": "Amélie"},
            {"title": "  ", "year": 1900, "genres": []},
            {"title": None, "year": 1900, "genres": []},
            {"title": 'A "B" / C', "year": 1999, "genres": [], "href": None},
        ))
        first = output("wikipedia-to-journal", "-", "--at", "2024-01-01T00:00:00Z", given=films)
        self.assertEqual(first, output("wikipedia-to-journal", "-", "--at", "2024-01-01T01:00:00+01:00", given=films))
        lines = [json.loads(line) for line in first.splitlines()]
        self.assertEqual([line["fields"]["title"] for line in lines], ["Amélie", 'A "B" / C'])
        self.assertEqual([line["at"] for line in lines], ["2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.001Z"])
        fields = {"title": "Amélie", "hasWatched": False, "year": 2001, "genres": ["Comedy"]}
        self.assertEqual(lines[0]["fields"], fields)

    def test_made_up_films_have_random_ids_of_version_4(self):
        lines = [json.loads(line) for line in output("generate-journal", "--count", "500").splitlines()]
        ids = [line["id"] for line in lines]
        self.assertEqual(len(set(ids)), 500)
        self.assertTrue(all(uuid.UUID(text).version == 4 and text == text.upper() for text in ids))
        self.assertTrue(all(line["fields"]["title"] and "at" not in line for line in lines))

    def test_another_seed_gives_other_ids(self):
        first, other = (output("generate-journal", "--count", "1", "--seed", seed) for seed in ("1", "2"))
        self.assertNotEqual(json.loads(first)["id"], json.loads(other)["id"])

    def test_a_time_without_its_zone_is_refused(self):
        with self.assertRaises(subprocess.CalledProcessError):
            output("generate-journal", "--count", "1", "--at", "2024-01-01T00:00:00")

    def test_the_films_of_the_demo_are_good_lines(self):
        lines = [json.loads(line) for line in (SCRIPTS / "demo-films.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(len({line["id"] for line in lines}), 25)
        for line in lines:
            self.assertEqual(uuid.UUID(line["id"]).version, 4)
            self.assertEqual(set(line["fields"]), {"title", "hasWatched", "year"})
            self.assertIs(type(line["fields"]["hasWatched"]), bool)


class Rig(unittest.TestCase):
    def test_settled_means_live_and_read_and_nothing_pending(self):
        def status(**changes):
            facts = {"state": "running", "stream": "live", "pending": 0, "offset": 9, "size": 9, "records": 2} | changes
            return {
                "state": facts["state"], "remote": {"stream": facts["stream"]},
                "journal": {"offset": facts["offset"], "size": facts["size"]},
                "collections": {"movies": {"pending": facts["pending"], "records": facts["records"]}},
            }

        self.assertTrue(is_settled(status(), 2))
        for change in ({"state": "paused"}, {"stream": "down"}, {"pending": 1}, {"offset": 8}, {"records": 3}):
            with self.subTest(change):
                self.assertFalse(is_settled(status(**change), 2))

    def test_a_path_with_a_colon_stays_one_yaml_string(self):
        self.assertEqual(quoted(Path('/tmp/a: "b" #c')), '"/tmp/a: \\"b\\" #c"')

    def test_the_table_says_what_was_missed(self):
        missed = Row("push", "2 s", "theirs: 20 s", 10, "15 times", False)
        text = rendered([missed, Row("idle", "0", goal="none", ok=True)])
        self.assertRegex(text.splitlines()[2], r"push .* 10\.0 .* missed$")
        self.assertRegex(text.splitlines()[3], r"idle .* none .* ok$")


if __name__ == "__main__":
    unittest.main()
