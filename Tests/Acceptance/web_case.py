"""Nodes with a web page, and a real browser that looks at them.

Needs the Python package playwright and Chromium's headless shell, or the browser that MOVIESYNC_BROWSER names; without
them the tests are skipped. Screenshots go to artefacts/web.
"""

import json
import os
import shutil
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from rig import ports, programs  # noqa: E402
from rig.catalog import Catalog  # noqa: E402
from rig.processes import Hub, Node, is_live, is_settled  # noqa: E402

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    expect = sync_playwright = None
else:
    expect.set_options(timeout=30_000)

BINARY = (programs.given() or programs.ROOT / ".build" / "debug") / "moviesyncd"
TOOL = BINARY.with_name("moviesync")
SCREENSHOTS = programs.ROOT / "artefacts" / "web"
LIMIT = 60  # seconds that any one thing may take
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PEOPLE = ("movies", "favourites", "reviews", "votes", "profiles")


def browser_path() -> str | None:
    """The browser to use."""
    given = os.environ.get("MOVIESYNC_BROWSER")
    return given or next((path for path in map(shutil.which, NAMES) if path), None)


def operation(op: str, identifier: str, collection: str = "movies", **fields) -> str:
    """A journal line without a time."""
    body = {"op": op, "collection": collection, "id": identifier} | ({"fields": fields} if fields else {})
    return json.dumps(body) + "\n"


def asked(url: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, str, dict]:
    """Status, body and headers of an answer, without following it elsewhere; a name's `_` stands for `-`."""
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_arguments):
            return None

    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, data=body, method=method, headers=named)
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=LIMIT) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), dict(error.headers)


class Page:
    """One node's page in one browser: opened by a link, and watched for what it must not do."""

    def __init__(self, case: "WithBrowser", node: Node, **options):
        self.case, self.node = case, node
        self.context = case.browser.new_context(**options)
        case.addCleanup(self.context.close)
        self.context.set_default_timeout(30_000)
        self.context.route("**/*", self._only_own)
        self.tab = self.open_tab()
        self.tab.goto(case.link(node))

    def open_tab(self):
        tab = self.context.new_page()
        tab.on("pageerror", lambda error: self.case.faults.append(f"script: {error}"))
        tab.on("console", self._said)
        return tab

    def _only_own(self, route):
        if urlsplit(route.request.url).netloc != urlsplit(self.case.address(self.node)).netloc:
            self.case.faults.append(f"asks {route.request.url}")
            return route.abort()
        return route.continue_()

    def _said(self, message):
        if "Content Security Policy" in message.text:
            self.case.faults.append(message.text)


class WithBrowser(unittest.TestCase):
    """A fresh hub for each test, and one browser for all."""

    @classmethod
    def setUpClass(cls):
        if sync_playwright is None or browser_path() is None:
            raise unittest.SkipTest("no browser")
        playwright = cls.enterClassContext(sync_playwright())
        # Without its sandbox, which needs what a container does not give.
        cls.browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        if not BINARY.is_file():
            self.fail(f"{BINARY} is not there: run swift build, or name a folder in MOVIESYNC_BIN")
        self.folder = programs.scratch_folder("web")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.faults: list[str] = []
        self.addCleanup(lambda: self.assertEqual(self.faults, []))
        self.start_hub()

    def start_hub(self, listen: str = "127.0.0.1:0"):
        self.hub = Hub(BINARY, self.folder, listen)
        self.addCleanup(self.hub.stop)

    def start(self, name: str = "node", collections=("movies",), web: str = "", catalog: Catalog | None = None) -> Node:
        """A new node with a page, live. `web` are further lines of that section."""
        lines = f"web:\n  listen: 127.0.0.1:{ports.lasting()}\n{web}"
        node = Node(BINARY, self.folder, name, self.hub.url, collections=collections, more=lines, catalog=catalog)
        self.addCleanup(node.stop)
        node.start()
        node.until(is_live, "a live stream", LIMIT)
        return node

    def address(self, node: Node) -> str:
        """Where the page of a node is, without a slash at the end."""
        line = next(line for line in node.config.read_text().splitlines() if line.startswith("  listen: 127"))
        return "http://" + line.removeprefix("  listen: ")

    def link(self, node: Node) -> str:
        return node.control.ask("POST", "/v1/web/links")["url"]

    def cookie(self, node: Node) -> str:
        """What a browser that has signed in sends."""
        status, _, headers = asked(self.link(node))
        self.assertEqual(status, 303)
        return headers["Set-Cookie"].split(";")[0]

    def add(self, node: Node, *lines: str, records: int | None = None):
        """Appends lines to the journal, and waits until the hub has all."""
        node.append("".join(lines))
        node.until(lambda status: is_settled(status, records), "all on the hub", LIMIT)

    def keep(self, page: Page, name: str):
        """Keeps a picture of what is seen."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.tab.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
