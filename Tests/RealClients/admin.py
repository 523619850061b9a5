"""The Firebase Admin SDK for Python against a server that speaks the protocol of the Realtime Database."""

import os
import socket
import threading
import uuid
from urllib.parse import urlparse

from expect import Events, arguments, equal, run, step

URL = arguments().url
os.environ["FIREBASE_DATABASE_EMULATOR_HOST"] = urlparse(URL).netloc

import firebase_admin  # noqa: E402 - reads the environment
from firebase_admin import db, exceptions  # noqa: E402

NAME = "real-" + uuid.uuid4().hex[:8]
firebase_admin.initialize_app(options={"databaseURL": f"https://{NAME}.firebaseio.com", "projectId": "x"})


@step
def missing():
    """a missing node reads as None"""
    equal(db.reference("/nothing").get(), None)


@step
def set_and_get():
    """set and get keep every kind of value"""
    value = {"text": "Alien", "yes": True, "no": False, "whole": 7, "part": 1.5, "deep": {"a": {"b": [1, 2, 3]}}}
    db.reference("/kinds").set(value)
    equal(db.reference("/kinds").get(), value)
    equal(db.reference("/kinds/deep/a/b/1").get(), 2)


@step
def pruning():
    """nulls and empty objects vanish, arrays with few holes come back as arrays"""
    db.reference("/pruned").set({"a": None, "b": {}, "c": [], "d": {"e": {"f": None}}})
    equal(db.reference("/pruned").get(), None)
    db.reference("/array").set({"1": "x", "2": "y"})
    equal(db.reference("/array").get(), [None, "x", "y"])
    db.reference("/sparse").set({"7": "x"})
    equal(db.reference("/sparse").get(), {"7": "x"})


@step
def unicode_text():
    """text and keys beyond ASCII survive"""
    value = {"title": "Die fabelhafte Welt der Amélie 🎬 千と千尋", "Ключ ключа": "значение", "quote\"back\\slash": "\u0000\u2028\n"}
    db.reference("/unicode").set(value)
    equal(db.reference("/unicode").get(), value)
    db.reference("/unicode").child("日本 語").set("は")
    equal(db.reference("/unicode").child("日本 語").get(), "は")


@step
def push():
    """pushed keys sort by time"""
    references = [db.reference("/list").push({"n": n}) for n in range(5)]
    keys = [reference.key for reference in references]
    equal(keys, sorted(keys))
    equal(all(len(key) == 20 for key in keys), True)
    equal(db.reference("/list").child(keys[3]).get(), {"n": 3})


@step
def update():
    """update touches deep paths only, and null deletes"""
    db.reference("/users").set({"a": {"nick": "A", "age": 1}, "b": {"nick": "B"}})
    db.reference("/users").update({"a/nick": "AA", "b": None, "c/deep/er": 1})
    equal(db.reference("/users").get(), {"a": {"nick": "AA", "age": 1}, "c": {"deep": {"er": 1}}})


@step
def delete():
    """delete removes, also what is not there"""
    db.reference("/gone").set(1)
    db.reference("/gone").delete()
    equal(db.reference("/gone").get(), None)
    db.reference("/gone").delete()


@step
def shallow():
    """a shallow read shows keys"""
    equal(db.reference("/kinds/deep").get(shallow=True), {"a": True})
    equal(db.reference("/kinds/text").get(shallow=True), "Alien")


@step
def if_changed():
    """get_if_changed answers only what has changed"""
    reference = db.reference("/changed")
    reference.set({"v": 1})
    value, etag = reference.get(etag=True)
    equal(value, {"v": 1})
    equal(reference.get_if_changed(etag), (False, None, None))
    reference.set({"v": 2})
    changed, value, newer = reference.get_if_changed(etag)
    equal((changed, value), (True, {"v": 2}))
    equal(newer != etag, True)


@step
def conditional():
    """set_if_unchanged writes once, and shows the current value after that"""
    reference = db.reference("/conditional")
    equal(reference.get(etag=True), (None, "null_etag"))
    equal(reference.set_if_unchanged("null_etag", {"n": 1})[0], True)
    equal(reference.set_if_unchanged("null_etag", {"n": 2})[:2], (False, {"n": 1}))
    etag = reference.get(etag=True)[1]
    equal(reference.set_if_unchanged(etag, {"n": 3})[0], True)
    equal(reference.get(), {"n": 3})


@step
def transactions():
    """transactions of four threads lose no increment"""
    reference = db.reference("/counter")

    def work():
        for _ in range(10):
            while True:
                try:
                    reference.transaction(lambda value: (value or 0) + 1)
                    break
                except db.TransactionAbortedError:
                    continue

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(reference.get(), 40)


@step
def server_values():
    """server values are filled in"""
    reference = db.reference("/server")
    reference.set({"at": {".sv": "timestamp"}, "n": 1})
    equal(reference.child("at").get() > 1_600_000_000_000, True)
    reference.update({"n": {".sv": {"increment": 4}}})
    equal(reference.child("n").get(), 5)


@step
def queries():
    """queries order, filter and limit"""
    reference = db.reference("/dinosaurs")
    heights = {"bruhathkayosaurus": 25, "lambeosaurus": 2.1, "linhenykus": 0.6, "pterodactyl": 0.6, "stegosaurus": 4}
    reference.set({name: {"height": height, "m": {"n": len(name)}} for name, height in heights.items()})
    found = reference.order_by_child("height").start_at(0.6).end_at(3).get()
    equal(list(found), ["linhenykus", "pterodactyl", "lambeosaurus"])
    equal(list(reference.order_by_key().limit_to_first(2).get()), ["bruhathkayosaurus", "lambeosaurus"])
    equal(list(reference.order_by_child("height").limit_to_last(2).get()), ["stegosaurus", "bruhathkayosaurus"])
    equal(list(reference.order_by_child("height").equal_to(4).get()), ["stegosaurus"])
    equal(list(reference.order_by_child("m/n").end_at(10).get()), ["linhenykus"])
    equal(list(reference.order_by_key().start_at("l").end_at("l\uf8ff").get()), ["lambeosaurus", "linhenykus"])
    db.reference("/scores").set({"a": 3, "b": 1, "c": 2})
    equal(list(db.reference("/scores").order_by_value().get()), ["b", "c", "a"])
    equal(not reference.order_by_child("height").start_at(100).get(), True)


@step
def listening():
    """a listener sees the snapshot, puts, patches and deletes, and Unicode"""
    events = Events()
    reference = db.reference("/watched")
    reference.set({"a": 1})
    listener = reference.listen(lambda event: events.queue.put((event.event_type, event.path, event.data)))
    try:
        equal(events.next(), ("put", "/", {"a": 1}))
        reference.child("b").set({"title": "Amélie"})
        equal(events.next(), ("put", "/b", {"title": "Amélie"}))
        reference.update({"c": 1, "a": 2})
        equal(events.next(), ("patch", "/", {"a": 2, "c": 1}))
        db.reference("/").update({"watched/d": 4})
        equal(events.next(), ("put", "/d", 4))
        reference.child("b").delete()
        # The SDK drops events without data, so the delete shows in what comes after it.
        db.reference("/watched").set({"z": 1})
        found = events.next()
        while found[1] == "/b":
            found = events.next()
        equal(found, ("put", "/", {"z": 1}))
    finally:
        listener.close()


@step
def listening_again():
    """a listener whose connection breaks connects again and gets a new snapshot"""
    port = urlparse(URL).port
    relay = socket.create_server(("127.0.0.1", 0))
    connections = []

    def pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept():
        while True:
            try:
                client, _ = relay.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", port))
            connections.append(client)
            threading.Thread(target=pump, args=(client, server), daemon=True).start()
            threading.Thread(target=pump, args=(server, client), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    app = firebase_admin.initialize_app(
        options={"databaseURL": f"http://127.0.0.1:{relay.getsockname()[1]}/?ns={NAME}", "projectId": "x"}, name="relayed"
    )
    events = Events()
    db.reference("/again").set(1)
    listener = db.reference("/again", app=app).listen(lambda event: events.queue.put((event.path, event.data)))
    try:
        equal(events.next(), ("/", 1))
        for connection in list(connections):
            connection.shutdown(socket.SHUT_RDWR)
        db.reference("/again").set(2)
        equal(events.next(30), ("/", 2))
    finally:
        listener.close()
        relay.close()
        firebase_admin.delete_app(app)


@step
def refusals():
    """what is not allowed is refused with a reason"""
    try:
        db.reference("/bad").set({"$": 1})
        raise AssertionError("a key with $ was accepted")
    except exceptions.InvalidArgumentError as error:
        equal(bool(str(error)), True)
    try:
        db.reference("/bad").set({"x": {".sv": "nonsense"}})
        raise AssertionError("an unknown server value was accepted")
    except exceptions.InvalidArgumentError as error:
        equal(bool(str(error)), True)


run("firebase-admin")
