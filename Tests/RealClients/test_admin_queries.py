"""The Firebase Admin SDK: queries, with and without rules, and what rules refuse."""

import unittest

from firebase_admin import db, exceptions

from admin_app import AdminTest

DINOSAURS = {
    "bruhathkayosaurus": {"height": 25, "m": {"n": 17}},
    "lambeosaurus": {"height": 2.1, "m": {"n": 12}},
    "linhenykus": {"height": 0.6, "m": {"n": 10}},
    "pterodactyl": {"height": 0.6, "m": {"n": 11}},
    "stegosaurus": {"height": 4, "m": {"n": "many"}},
    "triceratops": {"m": {"n": False}},
}


class Queries(AdminTest):
    def setUp(self):
        super().setUp()
        self.reference("dinosaurs").set(DINOSAURS)
        self.reference("scores").set({"a": 3, "b": "x", "c": 2, "d": True, "e": {"f": 1}, "g": False, "h": 2})
        self.reference("keys").set({key: True for key in ("10", "9", "a", "-5", "B", "é", "07x")})

    def orders(self):
        """What is asked, and the keys in the order in which the library hands them out."""
        # A query of this library changes with each call, so each case begins with a new one.
        def height():
            return self.reference("dinosaurs").order_by_child("height")

        def deep():
            return self.reference("dinosaurs").order_by_child("m/n")

        def key():
            return self.reference("keys").order_by_key()

        def value():
            return self.reference("scores").order_by_value()

        by_height = ["triceratops", "linhenykus", "pterodactyl", "lambeosaurus", "stegosaurus", "bruhathkayosaurus"]
        return (
            ("child", height(), by_height),
            ("from and to", height().start_at(0.6).end_at(3), by_height[1:4]),
            ("up to a number", height().end_at(0.6), by_height[:3]),
            ("equal to a number", height().equal_to(0.6), by_height[1:3]),
            ("first", height().limit_to_first(2), by_height[:2]),
            ("last", height().limit_to_last(2), by_height[4:]),
            ("from, first", height().start_at(0.6).limit_to_first(1), by_height[1:2]),
            ("to, last", height().end_at(4).limit_to_last(2), by_height[3:5]),
            ("nothing", height().start_at(100), []),
            ("deep child", deep().start_at(11).end_at(12), ["pterodactyl", "lambeosaurus"]),
            ("deep child, false", deep().equal_to(False), ["triceratops"]),
            ("deep child, text", deep().start_at(""), ["stegosaurus"]),
            ("value", value().end_at("x"), ["g", "d", "c", "h", "a", "b"]),
            ("value, numbers", value().start_at(2).end_at(3), ["c", "h", "a"]),
            ("value, equal", value().equal_to(2), ["c", "h"]),
            ("value, text", value().equal_to("x"), ["b"]),
        ) + tuple(
            # The library sorts what $key gives as plain text.
            (name, asked, sorted(wanted)) for name, asked, wanted in (
                ("key", key(), ["-5", "9", "10", "07x", "B", "a", "é"]),
                ("key, first", key().limit_to_first(3), ["-5", "9", "10"]),
                ("key, last", key().limit_to_last(2), ["a", "é"]),
                ("key, from a number", key().start_at("9").limit_to_first(2), ["9", "10"]),
                ("key, prefix", key().start_at("a").end_at("a\uf8ff"), ["a"]),
                ("key, equal", key().equal_to("B"), ["B"]),
            )
        )

    def test_queries_order_filter_and_limit(self):
        for name, asked, wanted in self.orders():
            with self.subTest(name):
                self.assertEqual(list(asked.get()), wanted)

    def test_a_query_that_keeps_most_of_an_array_gives_a_list(self):
        self.reference("list").set(["a", "b", "c", "d"])
        found = self.reference("list").order_by_key().limit_to_first(2).get()
        self.assertEqual(list(found.values() if isinstance(found, dict) else found), ["a", "b"])


class Rules(AdminTest):
    rules = {
        "rules": {
            "$test": {
                "open": {".read": True, ".write": True, ".indexOn": ["n"]},
                "own": {"$uid": {".read": "auth.uid == $uid", ".write": "auth.uid == $uid"}},
                "guarded": {
                    ".read": "auth != null",
                    "$id": {".write": "auth != null && (!data.exists() || newData.child('v').val() > data.child('v').val())"},
                },
            }
        }
    }

    def client(self, override):
        app = self.new_app(self.name, override)
        return lambda path: db.reference(f"/{self.place}/{path}", app=app)

    def setUp(self):
        super().setUp()
        self.name = f"rules-{self.place}"
        self.admin = self.client(Ellipsis)

    def test_a_query_without_index_is_refused_in_the_words_of_the_service(self):
        self.admin("open").set({"a": {"n": 1, "m": 2}})
        self.assertEqual(self.admin("open").order_by_child("n").equal_to(1).get(), {"a": {"n": 1, "m": 2}})
        with self.assertRaises(exceptions.InvalidArgumentError) as caught:
            self.admin("open").order_by_child("m").equal_to(2).get()
        self.assertIn(
            f'Index not defined, add ".indexOn": "m", for path "/{self.place}/open", to the rules',
            str(caught.exception))

    def test_rules_bind_a_client_and_not_the_owner(self):
        self.admin("own/ann").set({"x": 1})
        ann, nobody = self.client({"uid": "ann"}), self.client(None)
        self.assertEqual(ann("own/ann").get(), {"x": 1})
        ann("own/ann/y").set(2)
        for refused in (
            lambda: ann("own/bob").get(), lambda: ann("own").get(), lambda: ann("own/bob").set(1),
            lambda: nobody("own/ann").get(), lambda: nobody("own/ann").delete(), lambda: nobody("other").push(1),
        ):
            with self.assertRaises(exceptions.UnauthenticatedError) as caught:
                refused()
            self.assertIn("Permission denied", str(caught.exception))
        self.assertEqual(self.admin("own").get(), {"ann": {"x": 1, "y": 2}})

    def test_one_stale_entry_refuses_a_whole_update(self):
        ann = self.client({"uid": "ann"})
        ann("guarded").update({"a": {"v": 1}, "b": {"v": 5}})
        with self.assertRaises(exceptions.UnauthenticatedError):
            ann("guarded").update({"a": {"v": 2}, "b": {"v": 4}, "c": {"v": 1}})
        self.assertEqual(ann("guarded").get(), {"a": {"v": 1}, "b": {"v": 5}})
        ann("guarded").update({"a": {"v": 2}, "c": {"v": 1}})
        self.assertEqual(ann("guarded").get(), {"a": {"v": 2}, "b": {"v": 5}, "c": {"v": 1}})

    def test_a_transaction_works_under_rules(self):
        ann = self.client({"uid": "ann"})
        ann("guarded/t").transaction(lambda value: {"v": (value or {"v": 0})["v"] + 1})
        ann("guarded/t").transaction(lambda value: {"v": value["v"] + 1})
        self.assertEqual(self.admin("guarded/t").get(), {"v": 2})


if __name__ == "__main__":
    unittest.main()
