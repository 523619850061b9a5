"""The Firebase Admin SDK: reading, writing, conditions and transactions."""

import threading
import unittest

from firebase_admin import db, exceptions

from admin_app import AdminTest


class Values(AdminTest):
    def test_a_missing_node_reads_as_none(self):
        self.assertIsNone(self.reference().get())

    def test_every_kind_of_value_survives(self):
        kinds = {
            "text": "Alien", "empty": "", "yes": True, "no": False, "zero": 0, "whole": -7, "big": 2**53,
            "part": 1.5, "tiny": 5e-324, "huge": 1.7e308, "deep": {"a": {"b": [1, "2", {"c": 3}]}},
        }
        self.reference().set(kinds)
        self.assertEqual(self.reference().get(), kinds)
        for name, value in kinds.items():
            with self.subTest(name):
                self.assertEqual(self.reference(name).get(), value)
        self.assertEqual(self.reference("deep/a/b/2/c").get(), 3)

    def test_what_is_empty_is_not_stored(self):
        self.reference().set({"a": None, "b": {}, "c": [], "d": {"e": {"f": None}}, "g": [None, {}]} | {"h": 1})
        self.assertEqual(self.reference().get(), {"h": 1})
        self.reference("h").delete()
        self.assertIsNone(self.reference().get())

    def test_number_keys_are_arrays_where_half_is_there(self):
        for stored, found in (
            ({"0": "a", "1": "b"}, ["a", "b"]),
            ({"1": "x", "2": "y"}, [None, "x", "y"]),
            ({"7": "x"}, {"7": "x"}),
            ({"0": "x", "01": "y"}, {"0": "x", "01": "y"}),
            (["a", None, "c"], ["a", None, "c"]),
        ):
            with self.subTest(stored):
                self.reference().set(stored)
                self.assertEqual(self.reference().get(), found)

    def test_text_and_keys_beyond_ascii_survive(self):
        value = {
            "title": "Die fabelhafte Welt der Amélie 🎬 千と千尋", "Ключ ключа": "значение",
            'quote"back\\slash': "\u0000\u2028\n", "a b+c&d=e;f": "and", "🎬": {"日本 語": "は"},
        }
        self.reference().set(value)
        self.assertEqual(self.reference().get(), value)
        for key in value:
            with self.subTest(key):
                self.assertEqual(self.reference().child(key).get(), value[key])
        self.reference().child("🎬").child("日本 語").set("を")
        self.assertEqual(self.reference().child("🎬").get(), {"日本 語": "を"})

    def test_a_string_of_five_megabytes_survives(self):
        text = "Amélie 🎬 " * (5_000_000 // 12)
        self.reference("large").set({"text": text})
        self.assertEqual(self.reference("large/text").get(), text)
        self.reference("many").set({f"k{n}": {"text": "x" * 1000, "n": n} for n in range(3000)})
        self.assertEqual(len(self.reference("many").get(shallow=True)), 3000)
        self.assertEqual(self.reference("many/k1234/n").get(), 1234)

    def test_pushed_keys_sort_by_time(self):
        keys = [self.reference().push({"n": n}).key for n in range(20)]
        self.assertEqual(keys, sorted(keys))
        self.assertEqual({len(key) for key in keys}, {20})
        self.assertEqual(self.reference(keys[3]).get(), {"n": 3})
        self.assertEqual(self.reference(self.reference().push().key).get(), "")

    def test_update_touches_what_it_names(self):
        self.reference().set({"a": {"nick": "A", "age": 1}, "b": {"nick": "B"}, "c": {"x": 1, "y": 2}})
        self.reference().update({"a/nick": "AA", "b": None, "d/deep/er": 1, "c": {"z": 3}})
        self.assertEqual(
            self.reference().get(), {"a": {"nick": "AA", "age": 1}, "c": {"z": 3}, "d": {"deep": {"er": 1}}})
        self.reference().update({"a/nick": None, "a/age": None})
        self.assertEqual(self.reference().get(), {"c": {"z": 3}, "d": {"deep": {"er": 1}}})

    def test_an_update_that_is_refused_changes_nothing(self):
        self.reference().set({"a": {"b": 1}})
        for update in ({"a": 1, "a/b": 2}, {"ok": 1, "a.b": 2}, {"ok": 1, "x": {".sv": "nonsense"}}):
            with self.subTest(update), self.assertRaises(exceptions.InvalidArgumentError):
                self.reference().update(update)
        self.assertEqual(self.reference().get(), {"a": {"b": 1}})

    def test_delete_removes_also_what_is_not_there(self):
        self.reference().set({"a": 1})
        self.reference().delete()
        self.assertIsNone(self.reference().get())
        self.reference().delete()

    def test_a_shallow_read_shows_keys(self):
        self.reference().set({"a": {"b": {"c": 1}}, "d": 2})
        self.assertEqual(self.reference().get(shallow=True), {"a": True, "d": True})
        self.assertEqual(self.reference("d").get(shallow=True), 2)
        self.assertIsNone(self.reference("none").get(shallow=True))

    def test_server_values_are_filled_in(self):
        self.reference().set({"at": {".sv": "timestamp"}, "n": 1})
        self.assertGreater(self.reference("at").get(), 1_600_000_000_000)
        self.reference().update({"n": {".sv": {"increment": 4}}, "m/o": {".sv": {"increment": -0.5}}})
        self.assertEqual((self.reference("n").get(), self.reference("m/o").get()), (5, -0.5))

    def test_databases_are_apart(self):
        other = self.new_app()
        self.reference().set(1)
        self.assertIsNone(db.reference(f"/{self.place}", app=other).get())

    def test_what_is_not_allowed_is_refused_with_a_reason(self):
        for value in ({"$": 1}, {"a/b": 1}, {"a": {"": 1}}, {"x": {".sv": "nonsense"}}, {"k" * 769: 1}):
            with self.subTest(str(value)[:40]), self.assertRaises(exceptions.InvalidArgumentError) as caught:
                self.reference().set(value)
            self.assertTrue(str(caught.exception))
        deep = 1
        for _ in range(33):
            deep = {"k": deep}
        with self.assertRaises(exceptions.InvalidArgumentError):
            self.reference().set(deep)


class Conditions(AdminTest):
    def test_get_if_changed_answers_what_has_changed(self):
        reference = self.reference()
        reference.set({"v": 1})
        value, etag = reference.get(etag=True)
        self.assertEqual(value, {"v": 1})
        self.assertEqual(reference.get_if_changed(etag), (False, None, None))
        reference.child("w/x").set(2)
        changed, value, newer = reference.get_if_changed(etag)
        self.assertEqual((changed, value), (True, {"v": 1, "w": {"x": 2}}))
        self.assertNotEqual(newer, etag)
        reference.child("w").delete()
        self.assertEqual(reference.get(etag=True), ({"v": 1}, etag), "the same content has the same ETag")

    def test_set_if_unchanged_writes_once(self):
        reference = self.reference()
        self.assertEqual(reference.get(etag=True), (None, "null_etag"))
        self.assertEqual(reference.set_if_unchanged("null_etag", {"n": 1})[0], True)
        done, current, etag = reference.set_if_unchanged("null_etag", {"n": 2})
        self.assertEqual((done, current), (False, {"n": 1}))
        self.assertEqual(reference.set_if_unchanged(etag, {"n": 3})[0], True)
        self.assertEqual(reference.set_if_unchanged(etag, {"n": 4})[:2], (False, {"n": 3}))
        self.assertEqual(reference.get(), {"n": 3})
        reference.delete()
        self.assertEqual(reference.set_if_unchanged(etag, 1)[1:], (None, "null_etag"))

    def test_transactions_under_contention_lose_no_increment(self):
        workers, rounds = 4, 15
        failures = []

        def work():
            reference = db.reference(f"/{self.place}/counter", app=self.app)
            for _ in range(rounds):
                while True:
                    try:
                        reference.transaction(lambda value: (value or 0) + 1)
                        break
                    except db.TransactionAbortedError:
                        continue
                    except Exception as error:  # noqa: BLE001 - a thread's failure is the test's
                        failures.append(error)
                        return

        threads = [threading.Thread(target=work) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(self.reference("counter").get(), workers * rounds)

    def test_what_was_acknowledged_survives_a_kill(self):
        reference = self.reference("kept")
        stop, acknowledged = threading.Event(), []

        def write():
            number = 0
            while not stop.is_set():
                try:
                    reference.update({f"a/{number}x": number, f"b/{number}x": number})
                    acknowledged.append(number)
                except exceptions.FirebaseError:
                    pass
                number += 1

        writer = threading.Thread(target=write)
        writer.start()
        for _ in range(3):
            count = len(acknowledged)
            while writer.is_alive() and len(acknowledged) < count + 20:
                writer.join(0.01)
            self.server.kill_and_start()
        stop.set()
        writer.join()
        found = reference.get()
        missing = [number for number in acknowledged if found["a"].get(f"{number}x") != number]
        self.assertEqual(missing, [])
        self.assertEqual(found["a"], found["b"], "no half of an update")


if __name__ == "__main__":
    unittest.main()
