"""Runs under systemd: the Debian packages are installed, used, upgraded, removed and purged."""

import json
import subprocess
from pathlib import Path

from inside import CONFIGURATION, append, film, films, run, shown, until

FOLDER = Path("/opt/packages")


def packages(version: str) -> list[str]:
    return [str(path) for path in sorted((FOLDER / version).glob("*.deb"))]


run("dpkg", "--install", *packages("old"))
assert shown("ActiveState") == "inactive", "nothing starts before it is known which remote is meant"
assert run("stat", "--format=%a %U %G", "/var/spool/moviesync").split() == ["2770", "root", "moviesync"]
CONFIGURATION.write_text("remote: {plugin: firebase, url: 'http://127.0.0.1:9000'}\n")
run("moviesyncd", "check-config", "--config", str(CONFIGURATION))
run("systemctl", "enable", "--now", "moviesync-hub", "moviesyncd")
append(*(film(number) for number in range(300)))
until("synced", lambda: shown("StatusText") == "synced 300 movies")
node = json.loads(run("moviesync", "status", "--json"))["node"]
for page in ("1/moviesync.1", "8/moviesyncd.8", "5/moviesync.yaml.5"):
    assert Path(f"/usr/share/man/man{page}.gz").stat().st_size > 1_000

run("systemctl", "enable", "moviesyncd-web.socket")
run("systemctl", "restart", "moviesyncd")
assert "//127.0.0.1:9080/login" in run("moviesync", "web")

old = shown("MainPID")
run("dpkg", "--install", *packages("new"))
until("a restart", lambda: shown("MainPID") not in (old, "0") and shown("ActiveState") == "active")
assert films() == 300 and json.loads(run("moviesync", "status", "--json"))["node"] == node
assert "9000" in CONFIGURATION.read_text(), "a changed configuration stays"
append(film(1_000))
until("it goes on", lambda: shown("StatusText") == "synced 301 movies")

run("dpkg", "--remove", "moviesync-hub", "moviesync")
assert not Path("/usr/bin/moviesyncd").exists() and Path("/var/lib/moviesync/state.sqlite").exists()
assert CONFIGURATION.exists() and shown("ActiveState") == "inactive"
run("dpkg", "--purge", "moviesync-hub", "moviesync")
for path in ("/var/lib/moviesync", "/var/lib/moviesync-hub", "/var/spool/moviesync", "/etc/logrotate.d/moviesync"):
    assert not Path(path).exists(), path
assert not CONFIGURATION.exists()
left = subprocess.run(["find", "/etc/systemd/system", "-name", "moviesync*"], capture_output=True, text=True).stdout
assert not left, left
print("installed, upgraded, removed, purged")
