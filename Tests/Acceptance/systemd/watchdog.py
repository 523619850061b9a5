"""Runs under systemd: a part that hangs is seen by the watchdog, and nothing is lost."""

import signal
import subprocess

from inside import JOURNAL, append, film, films, install, logged, run, shown, until

install("WatchdogSec=2s", "TimeoutAbortSec=1s")
run("systemctl", "start", "moviesyncd")
append(film(1))
until("the first film", lambda: films() == 1)


def hang(calls: str, *options: str) -> subprocess.Popen:
    """Makes system calls of the running daemon take a minute; returns when that is in force."""
    command = ["strace", "-o", "/dev/null", "-f", "-p", shown("MainPID"), *options, "-e", f"trace={calls}"]
    tracer = subprocess.Popen(
        [*command, "-e", f"inject={calls}:delay_enter=60000000"], stderr=subprocess.PIPE, text=True
    )
    assert "attached" in tracer.stderr.readline()
    return tracer


def drill(name: str, number: int, calls: str, *options: str) -> None:
    restarts = int(shown("NRestarts"))
    tracer = hang(calls, *options)
    append(film(number))
    until(f"{name} is seen", lambda: shown("Result") == "watchdog")
    # Who hangs in the disk does not even die before the disk answers.
    tracer.send_signal(signal.SIGKILL)
    tracer.wait()
    until("ready again", lambda: int(shown("NRestarts")) > restarts and shown("ActiveState") == "active")
    until("nothing is lost", lambda: films() == number)
    parts = logged(MOVIESYNC_EVENT="watchdog.withheld")[-1]["MOVIESYNC_PARTS"]
    assert name in parts, parts
    print("hung and restarted:", parts)


drill("the state", 2, "fsync,fdatasync")
drill("the journal", 3, "pread64", "-P", str(JOURNAL))
