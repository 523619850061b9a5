"""What the scripts in this folder have in common; they run as root under a systemd of their own."""

import json
import socket
import subprocess
import time
from pathlib import Path

CONTROL = "/run/moviesync/control.sock"
JOURNAL = Path("/var/spool/moviesync/journal.jsonl")
CONFIGURATION = Path("/etc/moviesync/moviesync.yaml")


def attempt(*words: str) -> subprocess.CompletedProcess:
    """Runs a command, and shows what it said."""
    done = subprocess.run(words, capture_output=True, text=True)
    print("$", *words, "\n" + done.stdout + done.stderr, flush=True)
    return done


def run(*words: str) -> str:
    done = attempt(*words)
    done.check_returncode()
    return done.stdout


def until(what: str, condition, seconds: float = 30):
    """Returns what `condition` says as soon as that is true; fails when the time is over."""
    end = time.monotonic() + seconds
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > end:
            attempt("systemctl", "status", "--no-pager", "--full", "--lines=40", "moviesyncd")
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.05)


def shown(name: str, unit: str = "moviesyncd") -> str:
    done = subprocess.run(["systemctl", "show", f"--property={name}", "--value", unit], capture_output=True, text=True)
    return done.stdout.strip()


def install(*drop_in: str) -> None:
    """Makes users and folders; the lines go into the unit's section Service."""
    run("systemd-sysusers")
    run("systemd-tmpfiles", "--create", "moviesync.conf")
    if drop_in:
        configure(*drop_in)


def configure(*lines: str, unit: str = "moviesyncd") -> None:
    folder = Path(f"/etc/systemd/system/{unit}.service.d")
    folder.mkdir(exist_ok=True)
    (folder / "50-test.conf").write_text("[Service]\n" + "".join(line + "\n" for line in lines))
    run("systemctl", "daemon-reload")


def get(path: str) -> tuple[str, bytes]:
    """Asks the control socket; a daemon that is about to start is waited for."""
    with socket.socket(socket.AF_UNIX) as control:
        control.settimeout(60)
        control.connect(CONTROL)
        control.sendall(f"GET {path} HTTP/1.1\r\nHost: control\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: control.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode(), body


def status() -> dict:
    return json.loads(get("/v1/status")[1])


def health() -> dict:
    return json.loads(get("/v1/health")[1])


def append(*lines: dict) -> None:
    with JOURNAL.open("a") as journal:
        journal.writelines(json.dumps(line) + "\n" for line in lines)


def film(number: int) -> dict:
    return {
        "op": "create",
        "collection": "movies",
        "id": f"00000000-0000-4000-8000-{number:012X}",
        "fields": {"title": f"Film {number}"},
    }


def films() -> int:
    return status()["collections"]["movies"]["records"]


def logged(**fields: str) -> list[dict]:
    """The entries of the journal with these fields."""
    words = [f"{name}={value}" for name, value in fields.items()]
    out = subprocess.run(["journalctl", "--output=json", *words], capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]
