"""What people do on the web page in a real browser, and what becomes of it on the hub and on another node."""

import base64
import json
import sys
import unittest
import urllib.parse
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from web_case import BINARY, LIMIT, PEOPLE, Catalog, Page, WithBrowser, asked, expect, operation  # noqa: E402

from rig.processes import Hub  # noqa: E402

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
ALIEN, HEAT = (str(uuid.UUID(int=number, version=4)).upper() for number in (1, 2))


class Changing(WithBrowser):
    def on_hub(self, path: str):
        return json.loads(self.hub.text(path))

    def until_on_hub(self, node, path: str, wanted):
        self.settle(node)
        self.assertEqual(self.on_hub(path), wanted)

    def settle(self, node):
        node.until(lambda status: all(one["pending"] == 0 for one in status["collections"].values()), "pushed", LIMIT)

    def test_a_click_marks_a_film_as_watched_everywhere(self):
        node, other = self.start("one"), self.start("other")
        self.add(node, operation("create", ALIEN, title="Alien"), records=1)
        page, elsewhere = Page(self, node), Page(self, other)
        expect(elsewhere.tab.get_by_role("heading", name="Unwatched (1)")).to_be_visible()
        page.tab.get_by_role("button", name="Mark watched: Alien").click()
        expect(page.tab.get_by_text("Alien is marked as watched")).to_be_visible()
        watched = page.tab.get_by_role("region", name="Watched (1)", exact=True)
        expect(watched.get_by_role("link", name="Alien")).to_be_visible()
        expect(elsewhere.tab.get_by_role("heading", name="Watched (1)", exact=True)).to_be_visible()
        self.until_on_hub(node, f"/movies/{ALIEN}/hasWatched.json", True)

    def test_films_are_added_changed_and_deleted_without_script(self):
        node = self.start()
        page = Page(self, node, java_script_enabled=False, viewport={"width": 360, "height": 740})
        tab = page.tab
        tab.get_by_label("Title", exact=True).fill("  The <i>Third</i> Man ")
        tab.get_by_label("Year").fill("1949")
        tab.get_by_role("button", name="Add", exact=True).click()
        expect(tab.get_by_text("Added The <i>Third</i> Man.")).to_be_visible()
        tab.get_by_role("link", name="The <i>Third</i> Man").click()
        expect(tab.get_by_role("heading", level=1)).to_have_text("The <i>Third</i> Man")
        expect(tab.get_by_text("Pushed and confirmed: the remote has it.")).to_be_visible()
        identifier = tab.url.rsplit("/", 1)[1]
        tab.get_by_label("Title").fill("The Third Man")
        tab.get_by_label("Year").fill("")
        tab.get_by_role("button", name="Save changes").click()
        expect(tab.get_by_role("heading", level=1)).to_have_text("The Third Man")
        self.keep(page, "film-narrow")
        self.settle(node)
        stored = self.on_hub(f"/movies/{identifier}.json")
        self.assertEqual((stored["title"], stored.get("year")), ("The Third Man", None))
        tab.get_by_role("link", name="Delete …").click()
        self.assertEqual(self.on_hub(f"/movies/{identifier}/title.json"), "The Third Man")
        tab.get_by_role("button", name="Delete it").click()
        expect(tab.get_by_text("Deleted The Third Man.")).to_be_visible()
        self.until_on_hub(node, f"/movies/{identifier}.json", None)
        tab.goto(f"{self.address(node)}/film/{identifier}")
        expect(tab.get_by_text("This film is deleted.")).to_be_visible()

    def test_what_waits_is_decided(self):
        node = self.start()
        films = [str(uuid.UUID(int=number, version=4)) for number in range(1, 21)]
        self.add(node, *[operation("create", one, title=f"Film {one}") for one in films], records=20)
        node.append("".join(operation("delete", one) for one in films[:10]) + '{"op":"craete","id":"1"}\n')
        page = Page(self, node)
        page.tab.get_by_role("link", name="Attention").click()
        page.tab.get_by_role("button", name="Reject hold 1").focus()
        expect(page.tab.get_by_role("heading", name="Item 1: unknownOperation")).to_be_visible()
        self.keep(page, "attention")
        page.tab.get_by_role("button", name="Give up: item 1").click()
        expect(page.tab.get_by_text("Nothing is in quarantine.")).to_be_visible()
        page.tab.get_by_role("button", name="Approve hold 1").click()
        expect(page.tab.get_by_text("Nothing waits for a decision.")).to_be_visible()
        node.until(lambda status: status["collections"]["movies"]["records"] == 10, "ten films are left", LIMIT)

    def test_what_lost_is_restored(self):
        node = self.start()
        self.add(node, operation("create", ALIEN, title="Alien"), records=1)
        node.stop()
        node.append(operation("update", ALIEN, title="Alien here"))
        self.hub.text(f"/movies/{ALIEN}/title.json", "PUT", "Alien there")
        node.start()
        node.until(lambda status: status["collections"]["movies"]["conflicts"] > 0, "a conflict", LIMIT)
        self.settle(node)
        lost = {"Alien here", "Alien there"} - {self.on_hub(f"/movies/{ALIEN}/title.json")}
        page = Page(self, node)
        page.tab.goto(self.address(node) + "/attention")
        page.tab.get_by_role("button", name="Restore what lost").first.click()
        expect(page.tab.get_by_text("is written back")).to_be_visible()
        page.tab.goto(self.address(node))
        expect(page.tab.get_by_role("link", name=lost.pop())).to_be_visible()

    def test_a_search_is_saved_as_ticked(self):
        catalog = Catalog()
        self.addCleanup(catalog.stop)
        node = self.start(catalog=catalog)
        page = Page(self, node)
        page.tab.get_by_role("link", name="Search").click()
        page.tab.get_by_label("Search for").fill("third")
        page.tab.get_by_role("button", name="Search").click()
        page.tab.get_by_label("Save The Third Man").check()
        page.tab.get_by_label("Save Third Star").check()
        page.tab.get_by_role("button", name="Save what is ticked").click()
        expect(page.tab.get_by_text("Saved 2")).to_be_visible()
        self.keep(page, "search")
        expect(page.tab.get_by_role("link", name="in the library")).to_have_count(2)
        page.tab.get_by_role("link", name="Library", exact=True).click()
        expect(page.tab.get_by_role("heading", name="Unwatched (2)")).to_be_visible()

    def test_a_page_that_is_read_only_offers_nothing(self):
        node = self.start(web="  readOnly: true\n")
        self.add(node, operation("create", ALIEN, title="Alien"), records=1)
        page = Page(self, node)
        for path in ("/", f"/film/{ALIEN}", "/attention", "/favourites"):
            page.tab.goto(self.address(node) + path)
            expect(page.tab.locator("form[method=post]")).to_have_count(0)
        address, cookie = self.address(node), self.cookie(node)
        for path in ("/films", f"/film/{ALIEN}/watched", f"/film/{ALIEN}/delete", "/holds/1/approve", "/person"):
            status, text, _ = asked(address + path, "POST", b"title=X&value=true", Cookie=cookie, Origin=address)
            self.assertEqual(status, 403, path)
            self.assertIn("web.readOnly", text)

    def test_refusals_are_said_in_words(self):
        node = self.start()
        address, cookie = self.address(node), self.cookie(node)
        for path, body, status, words in (
            ("/films", {"title": " "}, 400, "a film needs a title"),
            ("/films", {"title": "X", "year": "soon"}, 400, "whole number"),
            (f"/film/{HEAT}/watched", {"value": "true"}, 404, "has no record"),
            ("/film/zebra/watched", {"value": "true"}, 400, "no UUID"),
            ("/holds/7/approve", {}, 404, "there is no hold 7"),
            ("/holds/x/approve", {}, 400, "not a number"),
            ("/quarantine/1/drop", {}, 404, "nothing in the quarantine"),
            ("/conflicts/1/restore", {}, 404, "there is no conflict"),
            ("/favourites/remove", {"film": "348", "as": "local"}, 404, "no collection is called"),
            ("/person", {"person": "a/b"}, 400, "a uid has"),
            ("/films", {"title": "X", "as": "anna"}, 409, "you are local now"),
            ("/nothing", {}, 404, "nothing to change"),
        ):
            form = urllib.parse.urlencode(body).encode()
            found, text, _ = asked(address + path, "POST", form, Cookie=cookie, Origin=address)
            self.assertEqual(found, status, (path, text))
            self.assertIn(words.casefold(), text.casefold(), path)
        self.assertEqual(node.records(), {})
        self.assertEqual(asked(address + "/films", "POST", b"x" * 300_000, Cookie=cookie, Origin=address)[0], 413)


class People(WithBrowser):
    def become(self, page: Page, name: str):
        page.tab.goto(self.address(page.node) + "/favourites")
        page.tab.get_by_label("You are").fill(name)
        page.tab.get_by_role("button", name="That is me").click()
        expect(page.tab.get_by_text(f"You are {name} in this browser now.")).to_be_visible()

    def test_two_people_see_each_others_review_and_vote(self):
        one, other = (self.start(name, collections=PEOPLE) for name in ("one", "other"))
        self.add(one, operation("create", ALIEN, title="Alien", tmdbID=348), records=1)
        anna, bob = Page(self, one), Page(self, other)
        self.become(anna, "anna")
        self.become(bob, "bob")
        for page in (anna, bob):
            page.tab.goto(f"{self.address(page.node)}/film/{ALIEN}")
            expect(page.tab.get_by_text("Nobody has reviewed it yet.")).to_be_visible()
        anna.tab.get_by_label("What you say").fill("Great <b>film</b>")
        anna.tab.get_by_label("Rating").fill("9")
        anna.tab.get_by_role("button", name="Publish the review").click()
        expect(bob.tab.get_by_text("Great <b>film</b>")).to_be_visible()
        expect(bob.tab.get_by_role("heading", name="anna: 9 of 10")).to_be_visible()
        expect(anna.tab.get_by_role("button", name="Like", exact=True)).to_have_count(0)
        bob.tab.get_by_role("button", name="Like", exact=True).click()
        expect(anna.tab.get_by_text("1 like it")).to_be_visible()
        self.keep(anna, "review-anna")
        self.keep(bob, "review-bob")
        bob.tab.get_by_role("button", name="Take my vote back").click()
        expect(anna.tab.get_by_text("0 like it")).to_be_visible()
        anna.tab.get_by_role("button", name="Delete the review").click()
        expect(bob.tab.get_by_text("Nobody has reviewed it yet.")).to_be_visible()

    def test_what_is_written_stays_while_others_change_things(self):
        node = self.start(collections=PEOPLE)
        self.add(node, operation("create", ALIEN, title="Alien", tmdbID=348), records=1)
        page = Page(self, node)
        page.tab.goto(f"{self.address(node)}/film/{ALIEN}")
        words = page.tab.get_by_label("What you say")
        words.press_sequentially("Half a ")
        node.append(operation("update", ALIEN, title="Alien, again"))
        expect(page.tab.get_by_role("heading", level=1)).to_have_text("Alien, again")
        words.press_sequentially("sentence")
        expect(words).to_have_value("Half a sentence")
        expect(words).to_be_focused()

    def test_favourites_are_those_of_the_person(self):
        node = self.start(collections=PEOPLE)
        self.add(node, operation("create", ALIEN, title="Alien", tmdbID=348), records=1)
        page = Page(self, node)
        self.become(page, "anna")
        page.tab.goto(f"{self.address(node)}/film/{ALIEN}")
        page.tab.get_by_role("button", name="Add to favourites").click()
        expect(page.tab.get_by_role("button", name="Remove from favourites")).to_be_visible()
        page.tab.get_by_role("link", name="Favourites").click()
        expect(page.tab.get_by_role("rowheader", name="Alien")).to_be_visible()
        self.assertEqual(node.control.ask("GET", "/v1/favourites?person=anna")["items"][0]["film"], "348")
        page.tab.get_by_role("button", name="Remove: Alien").click()
        expect(page.tab.get_by_text("None yet.")).to_be_visible()

    def test_what_is_not_kept_here_is_not_offered(self):
        node = self.start()
        self.add(node, operation("create", ALIEN, title="Alien"), records=1)
        page = Page(self, node)
        page.tab.goto(f"{self.address(node)}/film/{ALIEN}")
        expect(page.tab.get_by_text("Reviews are not kept on this node")).to_be_visible()
        expect(page.tab.get_by_role("button", name="Add to favourites")).to_have_count(0)
        page.tab.get_by_role("link", name="Favourites").click()
        expect(page.tab.get_by_text("Favourites are not kept on this node")).to_be_visible()


class Portraits(WithBrowser):
    def start_hub(self, listen: str = "127.0.0.1:0"):
        self.hub = Hub(BINARY, self.folder, listen, ["--emulator"])
        self.addCleanup(self.hub.stop)

    def upload(self, person: str) -> str:
        """Stores a picture of one pixel, as an app does; the address at which it is seen."""
        place = f"{self.hub.url}/v0/b/films/o"
        status, text, _ = asked(f"{place}?name=profiles/{person}.png", "POST", PIXEL, Authorization="Bearer owner")
        self.assertEqual(status, 200, text)
        return f"{place}/profiles%2F{person}.png?alt=media&token={json.loads(text)['downloadTokens']}"

    def write(self, path: str, value: dict):
        """Writes to the database, as an app does."""
        status, text, _ = asked(f"{self.hub.url}{path}.json", "PUT", json.dumps(value).encode())
        self.assertEqual(status, 200, text)

    def test_a_review_shows_who_wrote_it(self):
        node = self.start(collections=PEOPLE)
        self.add(node, operation("create", ALIEN, title="Alien", tmdbID=348), records=1)
        self.write("/reviews/348/anna", {"text": "Scary", "uid": "anna", "at": 1})
        page = Page(self, node)
        page.tab.goto(f"{self.address(node)}/film/{ALIEN}")
        expect(page.tab.get_by_role("heading", name="anna")).to_be_visible()
        picture = page.tab.locator("article[data-author=anna] img")
        self.assertEqual(self.shown(page, picture), "image/svg+xml")
        # A profile that names another server: that is never asked, neither by the daemon nor by the browser.
        self.write("/profiles/anna", {"name": "Anna", "photo": "http://127.0.0.1:1/a.jpg"})
        expect(page.tab.get_by_role("heading", name="Anna", exact=True)).to_be_visible()
        self.assertEqual(self.shown(page, picture), "image/svg+xml")
        self.keep(page, "portrait-letter")
        self.write("/profiles/anna", {"name": "Anna", "photo": self.upload("anna")})
        expect(picture).to_have_js_property("naturalWidth", 1)
        self.assertEqual(self.shown(page, picture), "image/jpeg")
        self.keep(page, "portrait-picture")

    def shown(self, page: Page, picture) -> str:
        """The media type of a picture of the page."""
        address = self.address(page.node) + picture.get_attribute("src")
        answer = page.context.request.get(address)
        self.assertEqual(answer.status, 200)
        return answer.headers["content-type"]


if __name__ == "__main__":
    unittest.main()
