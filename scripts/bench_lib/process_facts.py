"""What the kernel knows about a running process."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Usage:
    """Counters since the process started."""

    cpu_seconds: float
    bytes_written: int


def usage(pid: int) -> Usage:
    """CPU time of all its threads, and bytes it caused to be written to storage."""
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    ticks = int(after_name[11]) + int(after_name[12])
    written = _field(f"/proc/{pid}/io", "write_bytes")
    return Usage(cpu_seconds=ticks / os.sysconf("SC_CLK_TCK"), bytes_written=written)


def resident(pid: int) -> tuple[int, int]:
    """Resident memory now and at its highest, in bytes."""
    path = f"/proc/{pid}/status"
    return _field(path, "VmRSS") * 1024, _field(path, "VmHWM") * 1024


def highest_from_now(pid: int) -> int:
    """Forgets what resident memory was at its highest, and gives it as it is now, in bytes."""
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="utf-8")
    return resident(pid)[0]


def _field(path: str, name: str) -> int:
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise KeyError(f"{path} has no {name}")
