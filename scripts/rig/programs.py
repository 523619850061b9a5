"""Where the programs are, and whether they are up to date with the sources."""

import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("moviesyncd", "moviesync", "moviesync-picture")


def newest_source() -> float:
    """When the newest file that the programs are built from was changed."""
    files = [ROOT / "Package.swift", *(path for path in (ROOT / "Sources").rglob("*") if path.is_file())]
    return max(path.stat().st_mtime for path in files)


def current_release() -> Path | None:
    """The folder of a release build that is newer than all sources; None where there is none."""
    folder = ROOT / ".build" / "release"
    binaries = [folder / name for name in NAMES]
    if not all(binary.is_file() for binary in binaries):
        return None
    return folder if min(binary.stat().st_mtime for binary in binaries) > newest_source() else None


def built_for_debugging() -> Path:
    """Builds the programs in debug mode, with the compiler's words shown, and returns their folder."""
    for name in NAMES:
        subprocess.run(["swift", "build", "--product", name], cwd=ROOT, check=True)
    return ROOT / ".build" / "debug"


def given() -> Path | None:
    """The folder that MOVIESYNC_BIN names, if any."""
    folder = os.environ.get("MOVIESYNC_BIN")
    return Path(folder).resolve() if folder else None


def scratch_folder(name: str) -> Path:
    """A new temporary folder; its path is short, because a Unix socket's may not exceed 107 bytes."""
    base = tempfile.gettempdir()
    return Path(tempfile.mkdtemp(prefix=f"moviesync-{name}-", dir=base if len(base) < 50 else "/tmp"))
