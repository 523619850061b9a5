"""Pyrebase: reading, writing, conditions, queries and streams."""

import unittest

import pyrebase
import requests

from served import Events, Served


def close(stream):
    """Closes a stream; the library's own thread may have let go of the socket first."""
    try:
        stream.close()
    except AttributeError:
        pass


class PyrebaseTest(Served):
    def setUp(self):
        super().setUp()
        settings = {"apiKey": "x", "authDomain": "x", "databaseURL": self.server.url, "storageBucket": "x"}
        self.database = pyrebase.initialize_app(settings).database()

    def child(self, *path: str):
        """A reference below this test's own place; the library wants a new one for each call."""
        return self.database.child(self.place, *path)

    def stream(self, asked) -> Events:
        """Streams until the test ends; events are (event, path, data)."""
        events = Events()
        stream = asked.stream(lambda message: events.queue.put((message["event"], message["path"], message["data"])))
        self.addCleanup(close, stream)
        return events


class Values(PyrebaseTest):
    def test_set_answers_what_it_wrote_and_get_finds_it(self):
        film = {"title": "Amélie 🎬", "hasWatched": False, "year": 2001, "tags": ["a", "b"]}
        self.assertEqual(self.child("movies", "A").set(film), film)
        self.assertEqual(self.child("movies", "A").get().val(), film)
        self.assertEqual([film.key() for film in self.child("movies").get().each()], ["A"])
        self.assertIsNone(self.child("none").get().val())
        self.assertEqual([item.val() for item in self.child("movies", "A", "tags").get().each()], ["a", "b"])

    def test_push_answers_the_new_key(self):
        keys = [self.child("list").push({"n": n})["name"] for n in range(5)]
        self.assertEqual(keys, sorted(keys))
        self.assertEqual(self.child("list", keys[2]).get().val(), {"n": 2})

    def test_a_key_of_the_librarys_own_sorts_with_the_servers(self):
        first = self.database.generate_key()
        self.child("list", first).set(1)
        second = self.child("list").push(2)["name"]
        self.assertEqual([item.key() for item in self.child("list").get().each()], sorted([first, second]))

    def test_update_of_several_places_at_once(self):
        self.child("users").set({"a": {"n": 1, "m": 1}, "b": {"n": 2}})
        self.assertEqual(self.child("users").update({"a/n": 3, "b/n": 4}), {"a/n": 3, "b/n": 4})
        self.assertEqual(self.child("users").get().val(), {"a": {"n": 3, "m": 1}, "b": {"n": 4}})
        self.database.update({f"{self.place}/users/a/m": None, f"{self.place}/users/c": True})
        self.assertEqual(self.child("users").get().val(), {"a": {"n": 3}, "b": {"n": 4}, "c": True})

    def test_remove(self):
        self.child("gone").set(1)
        self.assertIsNone(self.child("gone").remove())
        self.assertIsNone(self.child("gone").get().val())
        self.assertIsNone(self.child("gone").remove())

    def test_a_refusal_carries_its_reason(self):
        with self.assertRaises(requests.exceptions.HTTPError) as caught:
            self.child("bad").set({"a.b": 1})
        self.assertIn("400", str(caught.exception))
        self.assertIn("error", str(caught.exception))


class Conditions(PyrebaseTest):
    def test_conditional_set_and_remove(self):
        self.assertEqual(self.child("c").get_etag(), {"ETag": "null_etag", "value": None})
        self.assertEqual(self.child("c").conditional_set({"n": 1}, "null_etag"), {"n": 1})
        lost = self.child("c").conditional_set({"n": 2}, "null_etag")
        self.assertEqual(lost["value"], {"n": 1})
        self.assertEqual(self.child("c").get_etag(), lost)
        self.assertEqual(self.child("c").conditional_remove("null_etag"), lost)
        self.assertEqual(self.child("c").conditional_set({"n": 3}, lost["ETag"]), {"n": 3})
        self.assertEqual(self.child("c").conditional_remove(lost["ETag"])["value"], {"n": 3})
        etag = self.child("c").get_etag()["ETag"]
        self.assertIsNone(self.child("c").conditional_remove(etag))
        self.assertEqual(self.child("c").get_etag()["ETag"], "null_etag")


class Queries(PyrebaseTest):
    def test_queries(self):
        self.child("s").set({"a": {"n": 3, "m": {"x": 1}}, "b": {"n": 1, "m": {"x": 3}}, "c": {"n": 2, "m": {"x": 2}}})
        self.child("v").set({"a": 3, "b": 1, "c": 2})
        for name, asked, wanted in (
            ("from", lambda: self.child("s").order_by_child("n").start_at(2), "ca"),
            ("from, to", lambda: self.child("s").order_by_child("n").start_at(1).end_at(2), "bc"),
            ("equal", lambda: self.child("s").order_by_child("n").equal_to(1), "b"),
            ("first", lambda: self.child("s").order_by_child("n").limit_to_first(2), "bc"),
            ("last", lambda: self.child("s").order_by_child("n").limit_to_last(1), "a"),
            ("key", lambda: self.child("s").order_by_key().limit_to_first(2), "ab"),
            ("key, from", lambda: self.child("s").order_by_key().start_at("b"), "bc"),
            ("key, to", lambda: self.child("s").order_by_key().end_at("b").limit_to_last(1), "b"),
            ("value", lambda: self.child("v").order_by_value().start_at(2), "ca"),
            ("value, last", lambda: self.child("v").order_by_value().limit_to_last(1), "a"),
            ("deep", lambda: self.child("s").order_by_child("m/x").equal_to(2), "c"),
        ):
            with self.subTest(name):
                self.assertEqual("".join(item.key() for item in asked().get().each()), wanted)

    def test_a_shallow_read_shows_keys(self):
        self.child("s").set({"a": {"n": 3}, "b": 1})
        self.assertEqual(sorted(self.child("s").shallow().get().val()), ["a", "b"])


class Streams(PyrebaseTest):
    def test_a_stream_sees_the_snapshot_and_each_change(self):
        self.child("w").set({"a": 1})
        events = self.stream(self.child("w"))
        self.assertEqual(events.next(), ("put", "/", {"a": 1}))
        self.child("w", "b").set("é🎬")
        self.assertEqual(events.next(), ("put", "/b", "é🎬"))
        self.child("w").update({"c": 3, "d/e": 4})
        self.assertEqual(events.next(), ("patch", "/", {"c": 3, "d/e": 4}))
        self.child("w", "a").remove()
        self.assertEqual(events.next(), ("put", "/a", None))

    def test_a_stream_with_a_query_sees_its_window(self):
        self.child("w").set({"old": {"_t": 1}, "new": {"_t": 10}})
        events = self.stream(self.child("w").order_by_child("_t").start_at(5))
        self.assertEqual(events.next(), ("put", "/", {"new": {"_t": 10}}))
        self.child("w", "older").set({"_t": 2})
        self.child("w", "old").set({"_t": 11, "x": 1})
        self.assertEqual(events.next(), ("put", "/old", {"_t": 11, "x": 1}))
        self.child("w", "new", "_t").set(0)
        self.assertEqual(events.next(), ("put", "/new", None))

    def test_a_stream_with_a_limit_sees_what_comes_and_goes(self):
        self.child("w").set({"a": {"n": 1}, "b": {"n": 2}, "c": {"n": 3}})
        events = self.stream(self.child("w").order_by_child("n").limit_to_last(2))
        self.assertEqual(events.next(), ("put", "/", {"b": {"n": 2}, "c": {"n": 3}}))
        self.child("w", "d").set({"n": 4})
        seen = {"b": {"n": 2}, "c": {"n": 3}}
        while seen != {"c": {"n": 3}, "d": {"n": 4}}:
            event, path, data = events.next()
            for key, value in data.items() if event == "patch" else [(path.strip("/"), data)]:
                if value is None:
                    seen.pop(key, None)
                else:
                    seen[key] = value

    def test_a_stream_gets_over_the_death_of_the_server(self):
        self.child("w").set({"n": 1})
        events = self.stream(self.child("w"))
        self.assertEqual(events.next(), ("put", "/", {"n": 1}))
        self.server.kill_and_start()
        self.assertEqual(events.next(), ("put", "/", {"n": 1}))
        self.child("w", "n").set(2)
        self.assertEqual(events.next(), ("put", "/n", 2))


if __name__ == "__main__":
    unittest.main()
