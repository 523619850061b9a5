"""Runs under systemd: what goes wrong in the life of a service, what is said about it, and how it goes on.

The paragraphs "Drills" of docs/operations.md tell the same.
"""

import contextlib
import re
import socket
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from inside import (
    CONFIGURATION,
    append,
    attempt,
    configure,
    film,
    films,
    health,
    install,
    logged,
    run,
    shown,
    until,
)



class Proxy:
    """Stands between the daemon and the hub, and has the hub's clock go `days` ahead."""

    def __init__(self) -> None:
        self.days = 0
        self.listener = socket.create_server(("127.0.0.1", 9001))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            near, _ = self.listener.accept()
            far = socket.create_connection(("127.0.0.1", 9000))
            threading.Thread(target=self.pump, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, True), daemon=True).start()

    def pump(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        try:
            while data := source.recv(65536):
                if is_answer:
                    date = format_datetime(datetime.now(UTC) + timedelta(days=self.days), usegmt=True)
                    data = re.sub(rb"(?i)(\r\ndate: )[^\r]+", rb"\g<1>" + date.encode(), data)
                target.sendall(data)
        except OSError:
            pass
        source.close()
        target.close()


def start() -> None:
    attempt("systemctl", "reset-failed", "moviesyncd", "moviesyncd.socket")
    run("systemctl", "start", "moviesyncd")


def stop() -> None:
    run("systemctl", "stop", "moviesyncd.socket", "moviesyncd")


def wrong_configuration() -> None:
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text(good + "remotee: {}\n")
    assert attempt("systemctl", "start", "moviesyncd").returncode != 0
    until("the end of it", lambda: shown("ActiveState") == "failed")
    assert shown("ExecMainStatus") == "78" and shown("NRestarts") == "0"
    assert any("remote" in entry.get("MOVIESYNC_ERROR", "") for entry in logged(PRIORITY="2"))
    CONFIGURATION.write_text(good)
    start()
    stop()


def missing_credential() -> None:
    configure("LoadCredential=firebase.json:/etc/moviesync/firebase.json")
    assert attempt("systemctl", "start", "moviesyncd").returncode != 0
    run("systemctl", "stop", "moviesyncd")
    assert shown("ExecMainStatus") == "243", "systemd says 243/CREDENTIALS"
    configure()
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text(
        "remote: {plugin: firebase, url: 'http://127.0.0.1:9', credential: secret, credentialFile: hub-secret}\n"
    )
    assert attempt("systemctl", "start", "moviesyncd").returncode != 0
    until("the end of it", lambda: shown("ActiveState") == "failed")
    assert shown("ExecMainStatus") == "78" and shown("NRestarts") == "0"
    CONFIGURATION.write_text(good)
    start()
    stop()


def full_disk() -> None:
    state = "/var/lib/moviesync"
    Path(state).mkdir(exist_ok=True)
    run("mount", "-t", "tmpfs", "-o", "size=6m,mode=750,uid=moviesync,gid=moviesync", "tmpfs", state)
    start()
    until("ready", lambda: shown("StatusText") == "synced nothing yet")
    append(*(film(number) for number in range(20_000)))
    reasons = until("the disk is full", lambda: (said := health())["level"] == "critical" and said["reasons"])
    assert "full" in " ".join(reasons), reasons
    until("systemd's line", lambda: "full" in shown("StatusText"))
    assert shown("ActiveState") == "active" and shown("NRestarts") == "0"
    run("mount", "-o", "remount,size=200m", state)
    until("all of it", lambda: films() == 20_000, seconds=120)
    until("all well", lambda: health()["level"] == "ok", seconds=60)
    stop()
    started_on_full_disk(Path(state))
    run("umount", state)


def started_on_full_disk(state: Path) -> None:
    fill = state / "fill"
    with fill.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * (1 << 20)):
            pass
    run("systemctl", "start", "--no-block", "moviesyncd")
    until("the wait is said", lambda: "disk is full" in shown("StatusText"))
    assert shown("ActiveState") == "activating" and shown("NRestarts") == "0"
    fill.unlink()
    until("ready", lambda: shown("ActiveState") == "active")
    assert films() == 20_000
    stop()


def hub_down_at_boot() -> None:
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text("remote: {plugin: firebase, url: 'http://127.0.0.1:9000'}\n")
    start()
    append(film(1))
    until("it is said", lambda: (said := shown("StatusText")).startswith("1 pending: ") and "no connection to" in said)
    assert health()["level"] == "warning"
    run("systemctl", "start", "moviesync-hub")
    until("it is there", lambda: shown("StatusText") == "synced 1 record of movies", seconds=90)
    until("all well", lambda: health()["level"] == "ok")
    run("systemctl", "stop", "moviesync-hub")
    until("the loss is said", lambda: "127.0.0.1:9000" in shown("StatusText"))
    stop()
    CONFIGURATION.write_text(good)


def killed() -> None:
    start()
    before = films()
    append(*(film(number) for number in range(100_000, 105_000)))
    run("systemctl", "kill", "--signal=KILL", "moviesyncd")
    until("a restart", lambda: shown("NRestarts") == "1" and shown("ActiveState") == "active")
    until("nothing lost", lambda: films() == before + 5_000, seconds=60)
    stop()


def limit_memory() -> None:
    """Leaves the running daemon a few MiB more than it has."""
    current = shown("MemoryCurrent")
    if current.isdigit():
        limit = int(current) + (4 << 20)
        run("systemctl", "set-property", "--runtime", "moviesyncd", f"MemoryMax={limit}", "MemorySwapMax=0")
        return
    # A kernel whose systemd has no say about memory: in the older hierarchy only what comes from now on counts.
    groups = Path("/tmp/memory")
    groups.mkdir()
    run("mount", "-t", "cgroup", "-o", "memory", "cgroup", str(groups))
    group = groups / "moviesync-drill"
    group.mkdir(exist_ok=True)
    (group / "memory.limit_in_bytes").write_text(str(4 << 20))
    (group / "cgroup.procs").write_text(shown("MainPID"))


def memory_limit() -> None:
    start()
    append(*(film(number) for number in range(1_000)))
    until("the films", lambda: films() == 1_000)
    limit_memory()
    append(*(film(number) for number in range(1_000, 40_000)))
    until("the kernel's answer and a restart", lambda: int(shown("NRestarts")) >= 1, seconds=120)
    assert any("status=9/KILL" in entry.get("MESSAGE", "") for entry in logged(_PID="1", UNIT="moviesyncd.service"))
    if shown("MemoryCurrent").isdigit():
        run("systemctl", "set-property", "--runtime", "moviesyncd", "MemoryMax=infinity")
    start()
    until("nothing lost", lambda: films() == 40_000, seconds=120)
    until("all well", lambda: health()["level"] == "ok", seconds=60)
    stop()


def clock_stepped() -> None:
    # The hub's clock steps, and this machine's is wrong from then on.
    proxy = Proxy()
    run("systemctl", "start", "moviesync-hub")
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text("remote: {plugin: firebase, url: 'http://127.0.0.1:9001'}\n")
    start()
    append(film(7))
    until("in step", lambda: shown("StatusText") == "synced 1 record of movies")
    proxy.days = 3
    # The answer to this tells the time.
    run("moviesync", "watched", film(7)["id"], "--wait")
    append(film(8))
    until("the clock is named", lambda: "clock" in shown("StatusText"))
    assert health()["level"] == "critical"
    proxy.days = 0
    until("it goes on", lambda: shown("StatusText") == "synced 2 movies" and health()["level"] == "ok", seconds=90)
    assert shown("NRestarts") == "0"
    stop()
    run("systemctl", "stop", "moviesync-hub")
    CONFIGURATION.write_text(good)


DRILLS = (
    wrong_configuration, missing_credential, full_disk, hub_down_at_boot, killed, memory_limit, clock_stepped,
)
install()
for drill in DRILLS:
    if sys.argv[1:] in ([], [drill.__name__]):
        print("drill:", drill.__name__, flush=True)
        subprocess.run(["rm", "-rf", "/var/lib/moviesync", "/var/lib/moviesync-hub"], check=True)
        run("truncate", "--size=0", "/var/spool/moviesync/journal.jsonl")
        drill()
