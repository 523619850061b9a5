"""The Debian packages, judged by lintian."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from rig import programs  # noqa: E402

NEEDED = ("lintian", "dpkg-shlibdeps", "strip")


@unittest.skipUnless(all(map(shutil.which, NEEDED)), "needs lintian, dpkg-dev and binutils")
class Packages(unittest.TestCase):
    def test_lintian_has_nothing_to_say(self):
        given = programs.current_release()
        # Programs made for tests find Swift's libraries in the toolchain; those for use have them inside.
        suppressed = [] if given else ["--suppress-tags", "custom-library-search-path"]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [programs.ROOT / "scripts" / "package", given or programs.ROOT / ".build" / "debug", folder],
                env={**os.environ, "COMPRESSION": "gzip"}, check=True, capture_output=True,
            )
            packages = sorted(Path(folder).glob("*.deb"))
            self.assertEqual([package.name.split("_")[0] for package in packages], ["moviesync-hub", "moviesync"])
            done = subprocess.run(
                ["lintian", "--allow-root", "--tag-display-limit", "0", "--fail-on", "error,warning", *suppressed,
                 *packages],
                capture_output=True, text=True,
            )
        self.assertEqual((done.returncode, done.stdout.strip()), (0, ""), done.stderr)


if __name__ == "__main__":
    unittest.main()
