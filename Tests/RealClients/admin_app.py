"""Apps of the Firebase Admin SDK for Python whose database is a server of the tests."""

import threading
import uuid

import firebase_admin
from firebase_admin import db

from served import Events, Served, Server


def app_of(server: Server, name: str | None = None, override=Ellipsis) -> firebase_admin.App:
    """An app for a database of its own, or for the one with this name; an override makes it a client with that auth."""
    options = {"databaseURL": f"{server.url.rstrip('/')}/?ns={name or uuid.uuid4().hex}", "projectId": "x"}
    if override is not Ellipsis:
        options["databaseAuthVariableOverride"] = override
    return firebase_admin.initialize_app(options=options, name=uuid.uuid4().hex)


class AdminTest(Served):
    """Tests with an app of the Admin SDK."""

    def setUp(self):
        super().setUp()
        self.app = self.new_app()

    def new_app(self, name: str | None = None, override=Ellipsis) -> firebase_admin.App:
        app = app_of(self.server, name, override)
        self.addCleanup(firebase_admin.delete_app, app)
        return app

    def reference(self, path: str = "") -> db.Reference:
        """A reference below this test's own place."""
        return db.reference(f"/{self.place}/{path}".rstrip("/"), app=self.app)

    def listen(self, reference: db.Reference) -> Events:
        """Listens until the test ends; events are (event, path, data)."""
        events = Events()
        registration = reference.listen(lambda event: events.queue.put((event.event_type, event.path, event.data)))
        self.addCleanup(self.close, registration, reference)
        return events

    @staticmethod
    def close(registration: db.ListenerRegistration, reference: db.Reference):
        """Closes a listener; the library does that only when it has something to read."""
        closing = threading.Thread(target=registration.close, daemon=True)
        closing.start()
        while closing.is_alive():
            reference.push("closing")
            closing.join(0.05)
