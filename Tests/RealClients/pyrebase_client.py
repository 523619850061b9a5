"""Pyrebase against a server that speaks the protocol of the Realtime Database."""

import uuid

import pyrebase
from expect import Events, arguments, equal, run, step

URL = arguments().url
CONFIG = {"apiKey": "x", "authDomain": "x", "databaseURL": URL, "storageBucket": "x"}
db = pyrebase.initialize_app(CONFIG).database()
ROOT = "pyrebase-" + uuid.uuid4().hex[:8]


def close(stream):
    """Closes a stream; the library's own thread may have let go of the socket first."""
    try:
        stream.close()
    except AttributeError:
        pass


@step
def set_and_get():
    """set and get"""
    equal(db.child(ROOT).child("movies").child("A").set({"title": "Alien", "hasWatched": False}),
          {"title": "Alien", "hasWatched": False})
    equal(db.child(ROOT).child("movies").child("A").get().val(), {"title": "Alien", "hasWatched": False})
    equal(db.child(ROOT).child("movies").get().each()[0].key(), "A")
    equal(db.child(ROOT).child("none").get().val(), None)


@step
def push():
    """push answers the new key"""
    key = db.child(ROOT).child("list").push({"title": "Amélie 🎬"})["name"]
    equal(db.child(ROOT).child("list").child(key).get().val(), {"title": "Amélie 🎬"})


@step
def update():
    """update of several places at once"""
    db.child(ROOT).child("users").set({"a": {"n": 1, "m": 1}, "b": {"n": 2}})
    equal(db.child(ROOT).child("users").update({"a/n": 3, "b/n": 4}), {"a/n": 3, "b/n": 4})
    equal(db.child(ROOT).child("users").get().val(), {"a": {"n": 3, "m": 1}, "b": {"n": 4}})


@step
def remove():
    """remove"""
    db.child(ROOT).child("gone").set(1)
    equal(db.child(ROOT).child("gone").remove(), None)
    equal(db.child(ROOT).child("gone").get().val(), None)


@step
def conditional():
    """conditional set and remove"""
    def place():
        return db.child(ROOT).child("conditional")

    etag = place().get_etag()
    equal(etag, {"ETag": "null_etag", "value": None})
    etag = etag["ETag"]
    equal(place().conditional_set({"n": 1}, etag), {"n": 1})
    lost = place().conditional_set({"n": 2}, etag)
    equal(lost["value"], {"n": 1})
    lost_delete = place().conditional_remove("null_etag")
    equal(lost_delete, {"ETag": lost["ETag"], "value": {"n": 1}})
    equal(place().conditional_remove(lost["ETag"]), None)
    equal(place().get_etag()["ETag"], "null_etag")


@step
def queries():
    """queries"""
    db.child(ROOT).child("scores").set({"a": {"n": 3}, "b": {"n": 1}, "c": {"n": 2}})

    def keys(query):
        return [item.key() for item in query.get().each()]

    equal(keys(db.child(ROOT).child("scores").order_by_child("n").start_at(2)), ["c", "a"])
    equal(keys(db.child(ROOT).child("scores").order_by_child("n").equal_to(1)), ["b"])
    equal(keys(db.child(ROOT).child("scores").order_by_key().limit_to_first(2)), ["a", "b"])
    equal(keys(db.child(ROOT).child("scores").order_by_child("n").limit_to_last(1)), ["a"])
    equal(db.child(ROOT).child("scores").shallow().get().val() is not None, True)


@step
def streaming():
    """a stream sees the snapshot and each change"""
    events = Events()
    db.child(ROOT).child("watched").set({"a": 1})
    stream = db.child(ROOT).child("watched").stream(
        lambda message: events.queue.put((message["event"], message["path"], message["data"])))
    try:
        equal(events.next(), ("put", "/", {"a": 1}))
        db.child(ROOT).child("watched").child("b").set("é")
        equal(events.next(), ("put", "/b", "é"))
        db.child(ROOT).child("watched").update({"c": 3})
        equal(events.next(), ("patch", "/", {"c": 3}))
        db.child(ROOT).child("watched").child("a").remove()
        equal(events.next(), ("put", "/a", None))
    finally:
        close(stream)


@step
def streaming_query():
    """a stream with a query sees only its window"""
    events = Events()
    db.child(ROOT).child("window").set({"old": {"_t": 1}, "new": {"_t": 10}})
    stream = db.child(ROOT).child("window").order_by_child("_t").start_at(5).stream(
        lambda message: events.queue.put((message["event"], message["path"], message["data"])))
    try:
        equal(events.next(), ("put", "/", {"new": {"_t": 10}}))
        db.child(ROOT).child("window").child("older").set({"_t": 2})
        db.child(ROOT).child("window").child("old").set({"_t": 11, "x": 1})
        equal(events.next(), ("put", "/old", {"_t": 11, "x": 1}))
    finally:
        close(stream)


run("pyrebase")
