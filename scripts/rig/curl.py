"""HTTP as curl sends it: just what is asked for, however odd."""

import json
import subprocess
from dataclasses import dataclass


@dataclass
class Answer:
    status: int
    head: dict[str, str]
    """By lower-case name."""
    body: str

    @property
    def value(self):
        """The body as JSON."""
        return json.loads(self.body)


def answer(method: str, url: str, body: str | None = None, *headers: str) -> Answer:
    """What one request is answered; `body` is sent as it is. Raises where curl fails."""
    command = ["curl", "--silent", "--show-error", "--include", "--globoff", "--max-time", "60", "--request", method]
    for header in headers:
        command += ["--header", header]
    if body is not None:
        command += ["--data-binary", "@-"]
    done = subprocess.run([*command, url], input=(body or "").encode(), capture_output=True, check=True)
    text = done.stdout.decode()
    while True:  # before the last head may stand that of Expect: 100-continue
        first, _, text = text.partition("\r\n\r\n")
        lines = first.split("\r\n")
        status = int(lines[0].split()[1])
        if status != 100:
            break
    head = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
    return Answer(status, head, text)
