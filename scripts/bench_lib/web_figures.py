"""Figures of the web page, as a browser without a screen would have them."""

import http.client
import json
import random
import statistics
import time
from urllib.parse import urlsplit

from bench_lib import process_facts
from bench_lib.table import Broken, Row, mebibytes, seconds
from rig import journal
from rig.processes import is_settled

PAGES = 64
EDITS = 20


class Browser:
    """One that is signed in to a node's page."""

    def __init__(self, node):
        link = urlsplit(node.control.ask("POST", "/v1/web/links?open=true")["url"])
        self.place = (link.hostname, link.port)
        answer = self._ask(f"{link.path}?{link.query}")
        if answer.status != 303:
            raise Broken(f"the page's link was answered with {answer.status}")
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]

    def _ask(self, path: str, **fields: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(*self.place, timeout=60)
        connection.request("GET", path, headers=fields)
        return connection.getresponse()

    def page(self, path: str) -> str:
        answer = self._ask(path, Cookie=self.cookie)
        text = answer.read().decode()
        if answer.status != 200:
            raise Broken(f"{path} was answered with {answer.status}")
        return text

    def stream(self) -> http.client.HTTPResponse:
        """Opens the stream of changes, which has begun when this returns."""
        answer = self._ask("/live", Cookie=self.cookie)
        if answer.status != 200 or not answer.readline().startswith(b":"):
            raise Broken("the page's stream has not begun")
        return answer


def page(plan) -> list[Row]:
    """The library with all films: its first page, the pages after it, and what is kept for those who look."""
    world = plan.worlds.newly_loaded("full")
    node = world.nodes[0]
    browser = Browser(node)
    times = []
    for number in range(20):
        began = time.perf_counter()
        text = browser.page(f"/?show=unwatched&from={1 + 100 * number}")
        times.append(time.perf_counter() - began)
    rows = text.count("data-film=")
    before, _ = process_facts.resident(node.program.pid)
    streams = [browser.stream() for _ in range(PAGES)]
    browser.page("/")
    now, _ = process_facts.resident(node.program.pid)
    shown = _edits_shown(plan, world, browser, streams[0])
    for stream in streams:
        stream.close()
    plan.worlds.end(world)
    median = statistics.median(times[1:])
    return [
        Row(f"web page of {rows} of {plan.worlds.count} films, the first reader's", seconds(times[0]),
            f"from then on: {seconds(median)}"),
        Row(f"resident memory with {PAGES} pages open", mebibytes(now), f"before: {mebibytes(before)}"),
        Row("edit on a node to the row on another one's page, median", seconds(statistics.median(shown)),
            f"worst of {EDITS}: {seconds(max(shown))}"),
    ]


def _edits_shown(plan, world, browser: Browser, stream: http.client.HTTPResponse) -> list[float]:
    """How long it takes until a page of the first node has a film that is added on a second one, one at a time."""
    other = plan.worlds.node(world, "other")
    other.start(seconds=120)
    other.until(lambda status: is_settled(status, plan.worlds.count), "all films", 600)
    source, times = random.Random(5), []
    for _ in range(EDITS):
        identifier = journal.uuid4(source)
        began = time.perf_counter()
        other.append(journal.line(identifier, {"title": f"Edit {identifier}", "hasWatched": False}))
        while True:
            line = stream.readline()
            if not line:
                raise Broken("the page's stream has ended")
            if not line.startswith(b"data: ") or json.loads(line[6:])["section"] != "library":
                continue
            if f'data-film="{identifier.upper()}"' in browser.page(f"/?filter={identifier}&part=films"):
                break
        times.append(time.perf_counter() - began)
    return times
