"""What a hub takes of memory for large bodies that it reads and refuses."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable

from bench_lib import process_facts
from bench_lib.hub_figures import hub
from bench_lib.table import Broken, Row
from rig import programs

SIZE = 16 << 20
SECRET = "a-secret-of-the-bench"
RULES = {"rules": {"x": {".write": "newData.child('never').exists()"},
                   "list": {".write": "newData.exists()", "$k": {".validate": "newData.isNumber()"}}}}
PAUSE = 3  # seconds after which a quiet hub has given memory back


def _filled(member: Callable[[int], str], opening: str, closing: str) -> bytes:
    """An object or array of as many members as the size of a body has room for."""
    parts, size = [], len(opening) + len(closing)
    while size < SIZE:
        parts.append(member(len(parts)))
        size += len(parts[-1]) + 1
    return (opening + ",".join(parts[:-1]) + closing).encode()


def _record(number: int) -> str:
    return f'"{number:08x}-0000-4000-8000-000000000000":' + json.dumps(
        {"title": f"Film {number}", "year": 1950 + number % 70, "genres": ["Drama"], "_t": {".sv": "timestamp"}})


BODIES: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "records": ("PATCH", "x", lambda: _filled(_record, "{", "}")),
    "nested objects": ("PUT", "x", lambda: _filled(lambda i: f'"k{i}":{{"a":{{"b":{{"c":{i}}}}}}}', "{", "}")),
    "digits": ("PUT", "x", lambda: _filled(lambda i: str(i % 10), "[", "]")),
    "digits, each looked at": ("PUT", "list", lambda: _filled(lambda i: str(i % 10), "[", ',"s"]')),
    "short keys": ("PUT", "x", lambda: _filled(lambda i: f'"{i:x}":1', "{", "}")),
    "deep paths": ("PATCH", "x", lambda: _filled(lambda i: f'"{i:x}/a/b/c/d/e/f/g/h":1', "{", "}")),
    "broken at its end": ("PUT", "x", lambda: _filled(lambda i: str(i % 10), "[", "")),
}


def refused(plan) -> list[Row]:
    """The most memory beyond what there was before, in times of the body."""
    folder = programs.scratch_folder("bench-rules")
    rules, secret = folder / "rules.json", folder / "secret"
    rules.write_text(json.dumps(RULES), encoding="utf-8")
    secret.write_text(SECRET, encoding="utf-8")
    secret.chmod(0o600)
    rows = []
    with hub(plan.worlds.binary, "--rules", str(rules), "--secret-file", str(secret)) as (server, _):
        for name, (method, place, body) in BODIES.items():
            text = body()
            before = process_facts.highest_from_now(server.pid)
            began = time.monotonic()
            _refuse(server.url, method, place, text)
            spent = time.monotonic() - began
            ratio = (process_facts.resident(server.pid)[1] - before) / len(text)
            rows.append(Row(f"memory for a refused body of 16 MiB: {name}", f"{ratio:.1f} times", f"{spent:.1f} s",
                            ratio / 3, "at most 3 times", ratio <= 3))
            time.sleep(PAUSE)
    return rows


def _refuse(url: str, method: str, place: str, body: bytes) -> None:
    query = urllib.parse.urlencode({"auth": SECRET, "auth_variable_override": '{"uid":"bench"}'})
    request = urllib.request.Request(f"{url.rstrip('/')}/{place}.json?{query}", body, method=method)
    try:
        with urllib.request.urlopen(request, timeout=120):
            raise Broken("a body that rules forbid was taken")
    except urllib.error.HTTPError as error:
        if error.code not in (400, 401):
            raise
