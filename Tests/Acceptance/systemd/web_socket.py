"""Runs under systemd: the web page at sockets that the manager holds, through restarts and stops of the daemon."""

import http.client
import threading
from pathlib import Path

from inside import attempt, install, logged, run, shown, until

UNIT = "moviesyncd-web.socket"


def asked(path: str, host: str = "127.0.0.1") -> int:
    connection = http.client.HTTPConnection(host, 9080, timeout=60)
    connection.request("GET", path)
    return connection.getresponse().status


install()
run("systemctl", "start", "moviesyncd")
assert attempt("moviesync", "web").returncode != 0, "nobody has asked for a page"

# Two addresses, and what enabling says is true: a restart of the daemon is enough.
folder = Path(f"/etc/systemd/system/{UNIT}.d")
folder.mkdir()
(folder / "50-test.conf").write_text("[Socket]\nListenStream=127.0.0.2:9080\n")
run("systemctl", "enable", UNIT)
run("systemctl", "restart", "moviesyncd")
assert shown("ActiveState", UNIT) == "active" and shown("ActiveState", "moviesyncd.socket") == "active"
link = run("moviesync", "web").split()[-1]
assert link.startswith("http://127.0.0.1:9080/login?"), link
assert asked(link.removeprefix("http://127.0.0.1:9080")) == 303
assert asked("/") == asked("/", "127.0.0.2") == 401
assert [entry["MOVIESYNC_ADDRESS"] for entry in logged(MOVIESYNC_EVENT="web.serving")] == ["127.0.0.1:9080"]

# Who asks while the daemon restarts waits.
answers: list[int] = []
goes_on = threading.Event()


def ask_on() -> None:
    while not goes_on.is_set():
        try:
            answers.append(asked("/style.css"))
        except http.client.HTTPException:
            answers.append(0)  # it was accepted by the daemon that ended
        except OSError as error:
            answers.append(-error.errno)


browser = threading.Thread(target=ask_on)
browser.start()
until("an answer", lambda: answers)
run("systemctl", "restart", "moviesyncd")
before = len(answers)
until("answers after the restart", lambda: len(answers) > before + 3)
goes_on.set()
browser.join()
# 104: the connection was the ended daemon's. 111 would be: nobody listens.
assert set(answers) <= {200, 0, -104} and answers[-1] == 200, answers

# Who asks while it is stopped starts it.
run("systemctl", "stop", "moviesyncd")
assert shown("ActiveState") == "inactive"
assert asked("/") == 401 and shown("ActiveState") == "active"

run("systemctl", "disable", UNIT)
run("systemctl", "stop", UNIT, "moviesyncd.socket", "moviesyncd")
assert shown("Result") == "success"
