"""The programs as files: which shared libraries the system that runs them must have."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from rig import programs  # noqa: E402

# Named alike in every Debian since 12 and every Ubuntu since 24.04.
OF_THE_SYSTEM = {
    "libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1", "libsqlite3.so.0", "libsystemd.so.0",
    "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
}
# A build for use has these inside (--static-swift-stdlib).
OF_SWIFT = re.compile(r"lib(_?swift|_?Foundation|dispatch|BlocksRuntime)\w*\.so")


def needed(program: Path) -> set[str]:
    """The shared libraries a program asks for."""
    done = subprocess.run(["readelf", "--dynamic", program], capture_output=True, text=True, check=True)
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", done.stdout))


class Libraries(unittest.TestCase):
    def test_a_program_needs_only_libraries_that_are_named_alike_everywhere(self):
        for name in programs.NAMES:
            with self.subTest(name):
                others = needed(programs.ROOT / ".build" / "debug" / name) - OF_THE_SYSTEM
                self.assertEqual({library for library in others if not OF_SWIFT.fullmatch(library)}, set())

    def test_a_program_for_use_needs_no_swift(self):
        folder = programs.current_release()
        if folder is None:
            self.skipTest("no release build that is up to date: make build")
        for name in programs.NAMES:
            with self.subTest(name):
                self.assertEqual(needed(folder / name) - OF_THE_SYSTEM, set())


if __name__ == "__main__":
    unittest.main()
