"""The Firebase Admin SDK: listeners, also across the death of the server."""

import unittest

from firebase_admin import db

from admin_app import AdminTest


class Listening(AdminTest):
    def test_a_listener_sees_the_snapshot_and_each_change(self):
        self.reference().set({"a": 1})
        events = self.listen(self.reference())
        self.assertEqual(events.next(), ("put", "/", {"a": 1}))
        self.reference("b").set({"title": "Amélie 🎬"})
        self.assertEqual(events.next(), ("put", "/b", {"title": "Amélie 🎬"}))
        self.reference("b/deep/er").set([1, 2])
        self.assertEqual(events.next(), ("put", "/b/deep/er", [1, 2]))
        self.reference().update({"c": 1, "a": 2})
        self.assertEqual(events.next(), ("patch", "/", {"a": 2, "c": 1}))
        self.reference("b").update({"title": "Alien", "deep/er": None})
        self.assertEqual(events.next(), ("patch", "/b", {"title": "Alien", "deep/er": None}))
        db.reference("/", app=self.app).update({f"{self.place}/d": 4, "elsewhere": 1})
        self.assertEqual(events.next(), ("put", "/d", 4))
        key = self.reference("list").push("x").key
        self.assertEqual(events.next(), ("put", f"/list/{key}", "x"))
        self.reference("list").delete()
        self.assertEqual(events.next(), ("put", "/list", None))
        self.reference().set({"z": 1})
        self.assertEqual(events.next(), ("put", "/", {"z": 1}))

    def test_listeners_of_many_places_each_see_their_own(self):
        self.reference().set({f"p{n}": {"n": 0} for n in range(20)})
        heard = [self.listen(self.reference(f"p{n}")) for n in range(20)]
        for n, events in enumerate(heard):
            self.assertEqual(events.next(), ("put", "/", {"n": 0}))
            self.reference(f"p{n}/n").set(n + 1)
        for n, events in enumerate(heard):
            self.assertEqual(events.next(), ("put", "/n", n + 1))

    def test_a_leaf_can_be_listened_to_while_it_comes_and_goes(self):
        self.reference("leaf").set("early")
        events = self.listen(self.reference("leaf"))
        self.assertEqual(events.next(), ("put", "/", "early"))
        self.reference().delete()
        self.assertEqual(events.next(), ("put", "/", None))
        self.reference("leaf").set(0)
        self.assertEqual(events.next(), ("put", "/", 0))
        self.reference().set({"leaf": {"a": 1}})
        self.assertEqual(events.next(), ("put", "/", {"a": 1}))
        self.reference("leaf/a/b").set(2)
        self.assertEqual(events.next(), ("put", "/a/b", 2))

    def test_a_large_value_arrives_whole(self):
        text = "é🎬x" * 60_000
        self.reference().set({"first": text})
        events = self.listen(self.reference())
        self.assertEqual(events.next(), ("put", "/", {"first": text}))
        self.reference("second").set({"text": text})
        self.assertEqual(events.next(), ("put", "/second", {"text": text}))

    def test_a_listener_gets_over_the_death_of_the_server(self):
        self.reference().set({"n": 0})
        events = self.listen(self.reference())
        self.assertEqual(events.next(), ("put", "/", {"n": 0}))
        for number in (1, 2):
            self.reference("n").set(number)
            self.assertEqual(events.next(), ("put", "/n", number))
            self.server.kill_and_start()
            self.assertEqual(events.next(), ("put", "/", {"n": number}), "a new snapshot, with all that was acknowledged")
        self.reference("m").set("later")
        self.assertEqual(events.next(), ("put", "/m", "later"))


if __name__ == "__main__":
    unittest.main()
