"""What the daemon is measured against: Google's own client library, and bare HTTP."""

import http.client
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from bench_lib.table import Broken
from rig import programs

LIBRARY = "firebase-admin==7.7.0"
VENV = programs.ROOT / ".build" / "bench-venv"


def _works(python: Path) -> bool:
    test = f"import firebase_admin; assert firebase_admin.__version__ == {LIBRARY.partition('==')[2]!r}"
    return python.exists() and subprocess.run([python, "-c", test], capture_output=True, check=False).returncode == 0


def python_with_library() -> Path:
    """The interpreter of a virtual environment that has the library; made at the first call."""
    python = VENV / "bin" / "python"
    if _works(python):
        return python
    print(f"bench: installing {LIBRARY} into {VENV.relative_to(programs.ROOT)}", flush=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", VENV],
        [python, "-m", "pip", "install", "--quiet", LIBRARY],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            words = (done.stderr or done.stdout).strip().splitlines() or ["no words"]
            raise Broken(f"{LIBRARY} can't be installed: {words[-1]}")
    return python


def library_seconds(mode: str, hub_url: str, journal: Path) -> float:
    """How long a script with the library takes to write all films of the journal, its start not counted.

    `mode` is `set` (one call a film) or `update` (500 films a call). The hub has to be one with `--emulator`.
    """
    script = Path(__file__).with_name("admin_writer.py")
    command = [python_with_library(), script, "--mode", mode, "--url", "https://bench.firebaseio.com", journal]
    environment = os.environ | {"FIREBASE_DATABASE_EMULATOR_HOST": hub_url.removeprefix("http://").rstrip("/")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        words = done.stderr.strip().splitlines() or ["no words"]
        raise Broken(f"firebase-admin {mode}: {words[-1]}")
    return json.loads(done.stdout)["seconds"]


def bare_put_seconds(place: tuple[str, int], bodies: list[tuple[str, bytes]]) -> list[float]:
    """The time of each PUT on one kept-alive connection, beside the films, so that no node notices."""
    connection = http.client.HTTPConnection(*place, timeout=30)
    times = []
    for identifier, body in bodies:
        began = time.perf_counter()
        connection.request("PUT", f"/bench/{identifier}.json", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        times.append(time.perf_counter() - began)
        if response.status != 200:
            raise Broken(f"PUT /bench/{identifier}.json: {response.status}")
    connection.close()
    return times
