"""Runs under systemd: start, status, reload and restart of the daemon, and what its sockets are."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

from inside import CONFIGURATION, CONTROL, append, attempt, film, films, health, install, logged, run, shown, until

install()
began = time.monotonic()
run("systemctl", "start", "moviesyncd")
print(f"start to ready: {time.monotonic() - began:.3f} s")
assert shown("ActiveState", "moviesyncd.socket") == "active"
mode = os.stat(CONTROL)
assert stat.S_IMODE(mode.st_mode) == 0o660, oct(mode.st_mode)
run("test", "-S", CONTROL)
stranger = attempt("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "moviesync", "status")
assert stranger.returncode not in (0, 69), "a stranger has to be told that it is not allowed"

until("synced", lambda: shown("StatusText") == "synced nothing yet")
append(*(film(number) for number in range(1200)))
until("what is synced", lambda: shown("StatusText") == "synced 1,200 movies")

# Who asks while the daemon restarts waits.
client = subprocess.Popen(
    ["bash", "-c", "while moviesync status > /dev/null; do echo answered; done"], stdout=subprocess.PIPE, text=True
)
client.stdout.readline()
run("systemctl", "restart", "moviesyncd")
for _ in range(3):
    assert client.stdout.readline() == "answered\n", "a client was turned away by the restart"
client.kill()
assert films() == 1200

# A reload, a bad one, and one that mends it: the daemon stays up, and systemctl comes back.
pid = shown("MainPID")
before = CONFIGURATION.read_text()
run("systemctl", "reload", "moviesyncd")
# Where the unit is of Type=notify, systemctl comes back before the file was read.
until("the first reload", lambda: len(logged(MOVIESYNC_EVENT="configuration.reloaded")) == 1)
CONFIGURATION.write_text(before + "nonsense: 1\n")
attempt("systemctl", "reload", "moviesyncd")
until("the rejection", lambda: "nonsense" in shown("StatusText"))
assert logged(MOVIESYNC_EVENT="configuration.rejected")
CONFIGURATION.write_text(before)
run("systemctl", "reload", "moviesyncd")
assert shown("MainPID") == pid and shown("ActiveState") == "active"
assert shown("NotifyAccess") == "main" and shown("Type") == sys.argv[1], shown("Type")
until("each reload is one reload", lambda: len(logged(MOVIESYNC_EVENT="configuration.reloaded")) == 2)

assert health()["level"] == "ok", health()
noise = [entry["MESSAGE"] for entry in logged(_SYSTEMD_UNIT="moviesyncd.service") if "MOVIESYNC_EVENT" not in entry]
assert not noise, noise
run("systemctl", "stop", "moviesyncd.socket", "moviesyncd")
assert shown("Result") == "success" and not Path(CONTROL).exists()
