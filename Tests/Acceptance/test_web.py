"""The web page in a real browser: who gets in, what is shown, and what comes by itself."""

import subprocess
import sys
import unittest
import uuid
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

from web_case import BINARY, LIMIT, TOOL, Page, WithBrowser, asked, expect, operation  # noqa: E402

from rig.processes import Node, clean_environment, is_live  # noqa: E402

ALIEN, HEAT = (str(uuid.UUID(int=number, version=4)).upper() for number in (1, 2))


class Door(WithBrowser):
    def test_a_link_lets_one_browser_in_once(self):
        node = self.start()
        link = self.link(node)
        page = Page(self, node)
        expect(page.tab.get_by_role("heading", name="Unwatched")).to_be_visible()
        first = self.browser.new_page()
        self.addCleanup(first.close)
        first.goto(link)
        expect(first.get_by_role("heading", name="Library")).to_be_visible()
        second = self.browser.new_page()
        self.addCleanup(second.close)
        answer = second.goto(link)
        self.assertEqual(answer.status, 410)
        expect(second.get_by_role("heading", name="This link was used already")).to_be_visible()
        self.assertEqual(second.goto(self.address(node)).status, 401)
        expect(second.get_by_text("moviesync web")).to_be_visible()
        texts = [file.read_bytes() for file in node.folder.rglob("*") if file.is_file()]
        cookie = first.context.cookies()[0]["value"]
        for secret in (link.rsplit("=", 1)[1], cookie):
            self.assertFalse([text for text in texts if secret.encode() in text])

    def test_the_tool_prints_a_link_or_says_what_is_missing(self):
        node = self.start()
        out = self.tool(node, "web", "--open")
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertRegex(out.stdout, rf"^{self.address(node)}/login\?token=[0-9a-f]{{64}}\n$")
        self.assertIn("open the link yourself", out.stderr)
        self.assertEqual(asked(out.stdout.strip())[0], 303)
        without = Node(BINARY, self.folder, "without", self.hub.url)
        self.addCleanup(without.stop)
        without.start()
        out = self.tool(without, "web")
        self.assertEqual((out.returncode, out.stdout, out.stderr.count("\n")), (65, "", 1))
        self.assertIn('"web:" and "  listen: 127.0.0.1:9080"', out.stderr)
        self.assertIn("moviesync web --open", out.stderr)
        # Without a line of configuration it is opened on this machine, once for all who ask.
        links = [self.tool(without, "web", *words).stdout.strip() for words in (["--open"], ["--open"], [])]
        self.assertEqual(len({urlsplit(link).netloc for link in links}), 1, links)
        self.assertEqual({urlsplit(link).hostname for link in links}, {"127.0.0.1"})
        self.assertEqual([asked(link)[0] for link in links], [303, 303, 303])
        without.stop()
        with self.assertRaises(OSError):
            asked(links[0])

    def tool(self, node: Node, *words: str) -> subprocess.CompletedProcess:
        command = [TOOL, "--socket", str(node.socket), *words]
        environment = clean_environment(DISPLAY="", PATH=str(self.folder))
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False, env=environment)

    def test_strangers_and_foreign_pages_are_refused(self):
        node = self.start()
        address, cookie = self.address(node), self.cookie(node)
        own = address.removeprefix("http://")
        self.assertEqual(asked(address, Cookie=cookie)[0], 200)
        for headers, status in (
            ({"Host": "evil.example"}, 403), ({"Host": f"evil.example:{own.split(':')[1]}"}, 403),
            ({"Host": "localhost"}, 200), ({"Host": "127.0.0.1.evil.example"}, 403), ({"Host": "192.168.0.1"}, 403),
        ):
            self.assertEqual(asked(address, Cookie=cookie, **headers)[0], status, headers)
        for headers in (
            {}, {"Origin": "http://evil.example"}, {"Origin": "null"},
            {"Origin": address, "Sec_Fetch_Site": "cross-site"},
        ):
            self.assertEqual(asked(address + "/films", "POST", b"title=X", Cookie=cookie, **headers)[0], 403, headers)
        status, _, headers = asked(address)
        self.assertEqual(status, 401)
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])


class Reading(WithBrowser):
    def test_what_others_change_appears_by_itself(self):
        node = self.start()
        page = Page(self, node)
        expect(page.tab.get_by_text("No films here yet.").first).to_be_visible()
        node.append(operation("create", ALIEN, title="Alien", year=1979))
        expect(page.tab.get_by_role("link", name="Alien")).to_be_visible()
        self.hub.text(f"/movies/{HEAT}.json", "PUT", {"identifier": HEAT, "title": "Heat", "hasWatched": True})
        watched = page.tab.get_by_role("region", name="Watched", exact=False).last
        expect(watched.get_by_role("link", name="Heat")).to_be_visible()
        expect(page.tab.get_by_role("heading", name="Unwatched (1)")).to_be_visible()
        self.hub.text(f"/movies/{HEAT}.json", "PATCH", {"title": "Heat, again"})
        expect(watched.get_by_role("link", name="Heat, again")).to_be_visible()
        self.keep(page, "library")

    def test_the_state_of_the_remote_appears_by_itself(self):
        node = self.start()
        page = Page(self, node)
        expect(page.tab.get_by_text("synced")).to_be_visible()
        host, port = self.hub.place
        self.hub.stop()
        expect(page.tab.locator("#line")).to_contain_text("next try", timeout=15_000)
        self.keep(page, "remote-down")
        self.start_hub(f"{host}:{port}")
        expect(page.tab.locator("#line")).to_contain_text("synced", timeout=LIMIT * 1000)

    def test_seven_tabs_are_all_up_to_date(self):
        node = self.start()
        page = Page(self, node)
        tabs = [page.tab] + [page.open_tab() for _ in range(6)]
        for tab in tabs[1:]:
            tab.goto(self.address(node))
        node.append(operation("create", ALIEN, title="Alien"))
        for tab in tabs:
            expect(tab.get_by_role("link", name="Alien")).to_be_visible()
        # Another one listens in the place of the first.
        tabs[0].close()
        node.append(operation("create", HEAT, title="Heat"))
        for tab in tabs[1:]:
            expect(tab.get_by_role("link", name="Heat")).to_be_visible()

    def test_a_restart_of_the_daemon_is_caught_up_with(self):
        node = self.start()
        self.add(node, operation("create", ALIEN, title="Alien"), records=1)
        page = Page(self, node)
        expect(page.tab.get_by_role("link", name="Alien")).to_be_visible()
        node.stop()
        expect(page.tab.get_by_text("Stale since")).to_be_visible()
        self.keep(page, "stale")
        node.append(operation("create", HEAT, title="Heat"))
        node.start()
        node.until(is_live, "a live stream", LIMIT)
        expect(page.tab.get_by_role("link", name="Heat")).to_be_visible(timeout=LIMIT * 1000)
        expect(page.tab.get_by_text("Stale since")).to_be_hidden()
        expect(page.tab.locator("tr[data-film]")).to_have_count(2)
        node.append(operation("update", HEAT, title="Heat II"))
        expect(page.tab.get_by_role("link", name="Heat II")).to_be_visible()
        expect(page.tab.locator("tr[data-film]")).to_have_count(2)

    def test_without_script_the_page_reads_the_same(self):
        node = self.start()
        lines = [operation("create", ALIEN, title="Alien", year=1979), operation("create", HEAT, title="Heat")]
        self.add(node, *lines, records=2)
        with_script, without = Page(self, node), Page(self, node, java_script_enabled=False)
        for page in (with_script, without):
            expect(page.tab.get_by_role("link", name="Alien")).to_be_visible()
        self.assertEqual(with_script.tab.locator("main").inner_text(), without.tab.locator("main").inner_text())
        self.add(node, operation("delete", HEAT), records=1)
        without.tab.reload()
        expect(without.tab.get_by_role("link", name="Heat")).to_have_count(0)

    def test_markup_in_a_title_is_text(self):
        node = self.start()
        title = '<img src=x onerror="document.title=1">\'"><script>alert(1)</script>"\u0301 onclick=1'
        self.add(node, operation("create", ALIEN, title=title), records=1)
        page = Page(self, node)
        expect(page.tab.get_by_role("link", name="<img src=x")).to_be_visible()
        self.assertEqual(page.tab.locator("main img, main script, main [onclick]").count(), 0)
        self.assertNotEqual(page.tab.title(), "1")

    def test_a_large_library_is_shown_in_pages(self):
        node = self.start()
        films = [operation("create", str(uuid.UUID(int=n, version=4)), title=f"Film {n:05}") for n in range(5000)]
        self.add(node, *films, records=5000)
        page = Page(self, node)
        rows = page.tab.locator("tr[data-film]")
        expect(page.tab.get_by_role("heading", name="Unwatched (5,000)")).to_be_visible()
        expect(rows).to_have_count(100)
        expect(rows.first).to_contain_text("Film 00000")
        page.tab.goto(self.address(node) + "/?from=4901")
        expect(rows).to_have_count(100)
        expect(rows.last).to_contain_text("Film 04999")
        page.tab.goto(self.address(node))
        page.tab.get_by_label("Filter by title").fill("film 0432")
        page.tab.get_by_role("button", name="Filter").click()
        expect(rows).to_have_count(10)
        self.keep(page, "filter")


if __name__ == "__main__":
    unittest.main()
