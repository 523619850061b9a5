"""The units under a real systemd, which boots for each test and is gone after it.

Needs a command that boots a systemd as the first process of namespaces of its own and runs one command in it:
`with-systemd --suite trixie|bookworm --package NAME --unit FILE --bind FOLDER --copy FROM:TO -- COMMAND`, on the PATH
or named by MOVIESYNC_SYSTEMD. Where it is missing these tests are skipped.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from rig import programs  # noqa: E402

ROOT = programs.ROOT
HERE = Path(__file__).resolve().parent / "systemd"
BOOT = os.environ.get("MOVIESYNC_SYSTEMD") or shutil.which("with-systemd")
SUITES = ("trixie", "bookworm")
UNITS = ("moviesyncd.service", "moviesyncd.socket", "moviesyncd-web.socket", "moviesync-hub.service")
# Of systemd 253 and later.
DROP_INS = {"trixie": ["moviesyncd.service.d"], "bookworm": []}
PACKAGES = ("python3", "strace", "logrotate")


def example_plugin() -> str:
    """The catalog that docs/plugins.md shows."""
    examples = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "plugins.md").read_text(), re.S)
    return next(example for example in examples if "FILMS" in example)


@unittest.skipUnless(BOOT and os.geteuid() == 0, "needs root and a command that boots a systemd: see MOVIESYNC_SYSTEMD")
class Units(unittest.TestCase):
    def boot(self, suite: str, script: str, *arguments: str, packages: Path | None = None) -> str:
        """Runs a script of the folder beside this file, and returns what it printed.

        Everything is installed, or stands in packages of the folder `packages`.
        """
        binaries = programs.given() or ROOT / ".build" / "debug"
        units = ROOT / "systemd"
        with tempfile.TemporaryDirectory() as folder:
            plugin = Path(folder) / "facts"
            plugin.write_text(example_plugin())
            plugin.chmod(0o755)
            installed = {
                **{binaries / name: f"/usr/bin/{name}" for name in programs.NAMES},
                units / "moviesync.sysusers.conf": "/usr/lib/sysusers.d/moviesync.conf",
                units / "moviesync-hub.sysusers.conf": "/usr/lib/sysusers.d/moviesync-hub.conf",
                units / "moviesync.tmpfiles.conf": "/usr/lib/tmpfiles.d/moviesync.conf",
                units / "moviesync.logrotate": "/etc/logrotate.d/moviesync",
                HERE / "moviesync.yaml": "/etc/moviesync/moviesync.yaml",
                plugin: "/usr/libexec/moviesync/facts",
            }
            copies = {HERE: "/opt/moviesync", **({packages: "/opt/packages"} if packages else installed)}
            command = [BOOT, "--suite", suite, "--bind", binaries]
            for package in PACKAGES:
                command += ["--package", package]
            for unit in [] if packages else [*UNITS, *DROP_INS[suite]]:
                command += ["--unit", units / unit]
            for source, target in copies.items():
                command += ["--copy", f"{source}:{target}"]
            done = subprocess.run(
                [*map(str, command), "--", "python3", f"/opt/moviesync/{script}", *arguments],
                capture_output=True, text=True, timeout=300,
            )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_service_starts_reloads_restarts_and_says_what_it_does(self):
        for suite in SUITES:
            with self.subTest(suite):
                self.boot(suite, "service.py", "notify-reload" if DROP_INS[suite] else "notify")

    def test_what_hangs_is_restarted_and_loses_nothing(self):
        for suite in SUITES:
            with self.subTest(suite):
                self.boot(suite, "watchdog.py")

    @unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "needs dpkg-dev")
    def test_packages_are_installed_upgraded_removed_and_purged(self):
        binaries = programs.given() or ROOT / ".build" / "debug"
        with tempfile.TemporaryDirectory() as folder:
            for name, version in (("old", {}), ("new", {"VERSION": "1000.0"})):
                subprocess.run(
                    [ROOT / "scripts" / "package", binaries, Path(folder) / name],
                    env={**os.environ, "COMPRESSION": "gzip", **version}, check=True, capture_output=True,
                )
            for suite in SUITES:
                with self.subTest(suite):
                    self.boot(suite, "package.py", packages=Path(folder))

    def test_drills(self):
        for suite in SUITES:
            with self.subTest(suite):
                self.boot(suite, "drills.py")

    def test_the_manager_holds_the_sockets_of_the_web_page(self):
        for suite in SUITES:
            with self.subTest(suite):
                self.boot(suite, "web_socket.py")

    def test_logrotate_loses_no_line(self):
        self.boot("trixie", "rotation.py")

    def test_a_confined_plugin_fills_the_library_and_pictures_are_made(self):
        for suite in SUITES:
            with self.subTest(suite):
                said = self.boot(suite, "plugins.py")
                self.assertIn("confined by its own unit", said)
                self.assertRegex(said, r"exposure of the plugin: [01]\.\d")
                self.assertIn("picture: 200 image/jpeg", said)


if __name__ == "__main__":
    unittest.main()
