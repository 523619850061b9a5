"""Load on an HTTP server by wrk, and what it is compared with: nginx, and the disk alone."""

import os
import re
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from bench_lib.table import Broken
from rig.processes import Program

SCRIPT = Path(__file__).with_name("requests.lua")
CONNECTIONS = 32


@dataclass
class Rate:
    """What wrk has measured."""

    per_second: float
    median_seconds: float


def rate(url: str, kind: str, seconds: float, connections: int = CONNECTIONS) -> Rate:
    """The rate of requests of one kind (see requests.lua), all of which must succeed."""
    command = [_found("wrk"), "-t1", f"-c{connections}", f"-d{seconds:.0f}s", "--timeout", "30s", "-s", str(SCRIPT), url, "--", kind]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    match = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+)$", answer.stdout, re.MULTILINE)
    if not match:
        raise Broken(f"wrk: {answer.stderr.strip() or answer.stdout.strip()}")
    requests, microseconds, failed, median = map(int, match.groups())
    if failed or not requests:
        raise Broken(f"{failed} of {requests} {kind} requests failed")
    return Rate(requests / microseconds * 1e6, median / 1e6)


def nginx_rate(folder: Path, seconds: float) -> Rate:
    """The rate at which nginx answers a static 200 with as many workers as there are cores."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = folder / "nginx"
    folder.mkdir()
    settings = folder / "nginx.conf"
    paths = " ".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    settings.write_text(
        f"worker_processes auto; daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        "events { worker_connections 1024; }\n"
        f"http {{ access_log off; {paths} server {{ listen 127.0.0.1:{port}; "
        "keepalive_requests 1000000000; location / { return 200 'ok'; } } }\n",
        encoding="utf-8",
    )
    server = Program("nginx", [_found("nginx"), "-c", str(settings), "-e", f"{folder}/error.log"], folder)
    try:
        _wait_for_port(port, server)
        return rate(f"http://127.0.0.1:{port}", "static", seconds)
    finally:
        server.stop()


def synchronizations(folder: Path, seconds: float) -> float:
    """How often in a second a page can be written and brought to the disk, one after the other."""
    path = folder / "synchronized"
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        os.pwrite(descriptor, bytes(4096 * 256), 0)
        os.fsync(descriptor)
        count, began = 0, time.monotonic()
        while time.monotonic() - began < seconds:
            os.pwrite(descriptor, bytes([count % 256]) * 4096, count % 256 * 4096)
            os.fdatasync(descriptor)
            count += 1
        return count / (time.monotonic() - began)
    finally:
        os.close(descriptor)
        path.unlink()


def _found(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if not path:
        raise Broken(f"{name} is missing: scripts/setup --bench installs it")
    return path


def _wait_for_port(port: int, program: Program) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        program.check()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise Broken(f"{program.name} does not listen after 10 s")
