"""Runs under systemd: what goes wrong in the life of a service, what is said about it, and how it goes on.

The paragraphs "Drills" of docs/operations.md tell the same.
"""

import subprocess
import sys
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

LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


def start() -> None:
    run("systemctl", "reset-failed", "moviesyncd", "moviesyncd.socket")
    run("systemctl", "start", "moviesyncd")


def stop() -> None:
    run("systemctl", "stop", "moviesyncd.socket", "moviesyncd")


def wrong_configuration() -> None:
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text(good + "remotee: {}\n")
    assert attempt("systemctl", "start", "moviesyncd").returncode != 0
    until("the end of it", lambda: shown("ActiveState") == "failed")
    assert shown("ExecMainStatus") == "78" and shown("NRestarts") == "0"
    assert any("remote" in entry["MESSAGE"] + entry.get("MOVIESYNC_ERROR", "") for entry in logged(PRIORITY="2"))
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
    run("umount", state)


def hub_down_at_boot() -> None:
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text("remote: {plugin: firebase, url: 'http://127.0.0.1:9000'}\n")
    start()
    append(film(1))
    until("it is said", lambda: shown("StatusText").startswith("1 pending: no connection to"))
    assert health()["level"] == "warning"
    run("systemctl", "start", "moviesync-hub")
    until("it is there", lambda: shown("StatusText") == "synced 1 movies", seconds=90)
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


def clock_stepped() -> None:
    offset = Path("/run/offset")
    offset.write_text("+0")
    configure(
        f"Environment=LD_PRELOAD={LIBRARY} FAKETIME_TIMESTAMP_FILE={offset} FAKETIME_NO_CACHE=1",
        "Environment=FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_RESET=1",
    )
    run("systemctl", "start", "moviesync-hub")
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text("remote: {plugin: firebase, url: 'http://127.0.0.1:9000'}\n")
    start()
    append(film(7))
    until("in step", lambda: health()["level"] == "ok")
    offset.write_text("+3d")
    append(film(8))
    until("the clock is named", lambda: "clock" in shown("StatusText"))
    assert health()["level"] == "critical"
    offset.write_text("+0")
    until("it goes on", lambda: health()["level"] == "ok", seconds=90)
    assert shown("NRestarts") == "0"
    stop()
    run("systemctl", "stop", "moviesync-hub")
    CONFIGURATION.write_text(good)
    configure()


DRILLS = (wrong_configuration, missing_credential, full_disk, hub_down_at_boot, killed, clock_stepped)
install()
Path("/var/spool/moviesync").chmod(0o2770)
for drill in DRILLS:
    if sys.argv[1:] in ([], [drill.__name__]):
        print("drill:", drill.__name__, flush=True)
        subprocess.run(["rm", "-rf", "/var/lib/moviesync", "/var/lib/moviesync-hub"], check=True)
        run("truncate", "--size=0", "/var/spool/moviesync/journal.jsonl")
        drill()
