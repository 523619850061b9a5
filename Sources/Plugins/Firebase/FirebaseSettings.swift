package import SyncModel

/// What a ``FirebaseRemote`` needs to know to reach one database.
package struct FirebaseSettings: Sendable {
    /// How long to wait, and for what.
    package struct Timeouts: Sendable {
        /// Until a connection is made.
        package var connect: Duration = .seconds(5)
        /// Until an answer begins, and between any two pieces of it; also for all of it, and a millisecond for each byte.
        package var request: Duration = .seconds(30)
        /// Without a byte on an open stream: then it is dead.
        package var silentStream: Duration = .seconds(80)
        /// How long before its end a token is replaced, and every stream opened with it.
        package var renewal: Duration = .seconds(300)

        package init() {}
    }

    /// `https://my-project-default-rtdb.firebaseio.com`, `http://127.0.0.1:9000`, `http://localhost:9000/?ns=db`.
    package var url: String
    /// The database's name where the host does not say it (`?ns=` on every request); over one in the URL.
    package var namespace: String?
    /// The path of each collection in the database; "" is its root. One that is not named lies under its own name.
    package var bases: [CollectionID: String]
    /// How many keys, one below the other, lead to a record of a collection; 1 where it is not named.
    package var depths: [CollectionID: Int] = [:]
    /// The path of tombstones and other metadata; nil where there are none.
    package var meta: String?
    package var credential: FirebaseCredential
    /// The bucket of pictures; a hub takes any name, and none for its own.
    package var bucket: String?
    /// Whether a server that is none of Google's keeps pictures.
    package var hasStorage = true
    /// Scheme, host and port by which others reach the server, as addresses of pictures have them; nil where that is as
    /// this node does.
    package var shownAs: String?
    /// A file with more certificates to trust than the system's, PEM.
    package var caFile: String?
    /// Where people sign in, where that is not beside the database: `http://127.0.0.1:9099`.
    package var accountsURL: String?
    /// The web API key of the project.
    package var apiKey: String?
    /// Whether the server runs in this very process: then its certificate says nothing that is not known, and nobody
    /// reads on the way.
    package var isThisProcess = false
    /// What the remote is called in status.
    package var name = "firebase"
    package var timeouts = Timeouts()

    package init(
        url: String, namespace: String? = nil, bases: [CollectionID: String] = [:], meta: String? = nil,
        credential: FirebaseCredential = .none, caFile: String? = nil
    ) {
        self.url = url
        self.namespace = namespace
        self.bases = bases
        self.meta = meta
        self.credential = credential
        self.caFile = caFile
    }
}
