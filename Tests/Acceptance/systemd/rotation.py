"""Runs under systemd: logrotate renames the journal, or copies and empties it, while programs append to it."""

import subprocess
import threading
from pathlib import Path

from inside import JOURNAL, append, film, films, install, run, until

TURNS = 6
LINES = 500
CONFIGURATION = Path("/etc/logrotate.d/moviesync")


def rotate() -> None:
    run("logrotate", "--force", "--state", "/run/logrotate", str(CONFIGURATION))


def write(stop: threading.Event, written: list[int]) -> None:
    """Appends films as a program does that opens the file for each of its lines; not faster than they can be read."""
    number = 0
    while not stop.is_set():
        append(film(number))
        number += 1
        written[0] = number
        if number % LINES == 0:
            until("they are read", lambda: stop.is_set() or films() >= number - 10 * LINES)


def rotate_under_load() -> int:
    """Rotates while lines come; returns how many films were appended."""
    stop, written = threading.Event(), [0]
    writer = threading.Thread(target=write, args=(stop, written))
    writer.start()
    for _ in range(TURNS):
        before = written[0]
        until("more lines come", lambda: written[0] > before + LINES)
        rotate()
        # A file that was rotated twice is compressed, and nobody reads it any more: once a week is enough for this.
        after = written[0]
        until("they are read", lambda: films() >= after)
    stop.set()
    writer.join()
    return written[0]


install()
run("systemctl", "start", "moviesyncd")
count = rotate_under_load()
until("all lines of renamed files", lambda: films() == count, seconds=60)
owner = subprocess.run(["stat", "-c", "%a %U %G", JOURNAL], capture_output=True, text=True).stdout.split()
assert owner == ["660", "root", "moviesync"], owner

# What is appended between the copy and the emptying is lost by logrotate itself, so nobody writes at that moment.
CONFIGURATION.write_text(CONFIGURATION.read_text().replace("create 0660 root moviesync", "copytruncate"))
for _ in range(TURNS):
    append(*(film(number) for number in range(count, count + LINES)))
    rotate()
    count += LINES
    until("all lines of the copy", lambda: films() == count, seconds=60)
run("systemctl", "stop", "moviesyncd.socket", "moviesyncd")
print("films:", count)
