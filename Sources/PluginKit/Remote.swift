public import SyncModel

/// A part of a remote that is read, written and listened to on its own.
public enum Keyspace: Hashable, Sendable {
    case records(CollectionID)
    case tombstones(CollectionID)

    public var collection: CollectionID {
        switch self {
        case .records(let collection), .tombstones(let collection): collection
        }
    }
}

/// What a remote holds under a key.
public enum RemoteValue: Hashable, Sendable {
    case absent
    /// A record: all its keys but the stamp and the server's time, which stand beside it.
    case record(fields: [String: JSONValue], stamp: Stamp?)
    /// A tombstone, and the hash of the content it ended where it says so.
    case tombstone(stamp: Stamp, ended: ContentHash?)
    /// Something that can't be either: left untouched.
    case unreadable(Defect)
}

/// A key of a keyspace with what it holds, as an event or a read showed it.
public struct RemoteEntry: Hashable, Sendable {
    /// The key as it stands in the remote; usually, but not always, an upper-case UUID.
    public var key: String
    public var value: RemoteValue
    /// The server's own time of the write (`_t`), milliseconds since 1970.
    public var serverTime: UInt64?
    /// For conditional writes; only a read or a write of the single key shows it.
    public var etag: String?

    public init(key: String, value: RemoteValue, serverTime: UInt64? = nil, etag: String? = nil) {
        self.key = key
        self.value = value
        self.serverTime = serverTime
        self.etag = etag
    }
}

/// Some entries of a keyspace, in the remote's order of keys.
public struct RemotePage: Hashable, Sendable {
    public var entries: [RemoteEntry]
    /// The key that the next page starts from, which is not in this one; nil where the range ends here.
    public var next: String?

    public init(entries: [RemoteEntry], next: String? = nil) {
        self.entries = entries
        self.next = next
    }
}

/// What a listener is told, in the order of the remote's commits.
public enum RemoteEvent: Hashable, Sendable {
    /// A snapshot begins: of the whole keyspace, or only of what changed since the cursor.
    case snapshotBegan
    /// One entry of the snapshot.
    case snapshotEntry(RemoteEntry)
    /// The snapshot is over; it had this many entries.
    case snapshotEnded(entries: Int)
    /// The value under a key is now this. `absent` on a listener with a cursor may mean "left the window".
    case changed(RemoteEntry)
    /// Something below a key changed: the whole value is not known.
    case touched(key: String)
}

/// A record or tombstone to be written.
public struct RemoteWrite: Hashable, Sendable {
    public enum Body: Hashable, Sendable {
        /// The record's content with the keys that identify it.
        case record(Content, identityFields: [String: JSONValue])
        case tombstone(ended: ContentHash?)
    }

    public var key: String
    public var body: Body
    public var stamp: Stamp

    public init(key: String, body: Body, stamp: Stamp) {
        self.key = key
        self.body = body
        self.stamp = stamp
    }
}

/// What must hold at the moment of a conditional write.
public enum WriteCondition: Hashable, Sendable {
    case absent
    case matches(etag: String)
}

/// The answer to a conditional write.
public enum WriteOutcome: Hashable, Sendable {
    /// Written. The ETag of what stands there now, where the remote says it.
    case written(etag: String?)
    /// The condition did not hold; this stands there now.
    case conflict(RemoteEntry)
}

/// One element of a guarded or first-attempt batch: a write, or (with nil) the removal of what stands there.
public struct BatchElement: Hashable, Sendable {
    public var keyspace: Keyspace
    public var key: String
    public var write: RemoteWrite?

    public init(keyspace: Keyspace, key: String, write: RemoteWrite?) {
        self.keyspace = keyspace
        self.key = key
        self.write = write
    }
}

/// Counters since the start, and what is known of the server's clock.
public struct RemoteTraffic: Hashable, Sendable {
    public var requests = 0
    public var bytesSent = 0
    public var bytesReceived = 0
    /// Server's time minus ours, milliseconds; nil before the first answer.
    public var clockOffset: Int64?

    public init() {}
}

/// A place outside this machine where records are kept.
///
/// ## Writing a remote
/// - Methods may be called concurrently. Cancelling the task ends a request or a listener at once.
/// - A thrown ``RemoteError`` says by its code whether anything may have been written. Anything else that is thrown
///   is treated as ``RemoteError/Code/outcomeUnknown``.
/// - A remote does not retry, except once after renewing its credential: the engine has one back-off for all.
public protocol Remote: Sendable {
    /// What is shown in status: `firebase`, and where it is, without any secret.
    var name: String { get }
    var address: String { get }

    /// Whether this remote keeps tombstones (`remote.meta` is not `none`).
    var keepsTombstones: Bool { get }

    var traffic: RemoteTraffic { get }

    /// Reads one key with its ETag. A missing key is `absent`, with the ETag for "nothing there".
    func read(_ key: String, in keyspace: Keyspace) async throws -> RemoteEntry

    /// Reads up to `limit` entries with `first <= key <= last`, without ETags, in the remote's own order of keys; keys
    /// that are UUIDs stand in the order of their bytes.
    func readRange(
        from first: String?, through last: String?, limit: Int, in keyspace: Keyspace
    ) async throws -> RemotePage

    /// All keys of the keyspace, without their values.
    func keys(in keyspace: Keyspace) async throws -> [String]

    /// Writes one key where the condition holds. Calling again with the same arguments is safe.
    func write(_ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition) async throws -> WriteOutcome

    /// Removes one key where it still has this ETag. The answer's ETag is that of "nothing there".
    func remove(_ key: String, in keyspace: Keyspace, ifMatches etag: String) async throws -> WriteOutcome

    /// Writes all elements or none, without a condition.
    ///
    /// A refusal by the server's rules throws ``RemoteError/Code/denied``.
    func writeBatch(_ elements: [BatchElement]) async throws

    /// Opens one event stream and hands events to `handler` until the stream ends, which it never does by itself
    /// without throwing. The first event is ``RemoteEvent/snapshotBegan``. `handler` is awaited: a slow one slows the
    /// stream, and memory stays bounded.
    ///
    /// - Parameter cursor: nil for the whole keyspace, else only what the server stamped at or after this time
    ///   (milliseconds since 1970).
    func listen(
        to keyspace: Keyspace, after cursor: UInt64?,
        handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws

    /// Closes connections. Nothing may be called afterwards.
    func shutdown() async
}

/// Why a request to a remote did not succeed.
public struct RemoteError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let word: String
        public init(_ word: String) { self.word = word }
        public var description: String { word }

        /// No connection was made: nothing was written.
        public static let unreachable = Code("unreachable")
        /// The request may have been carried out: timeout, cut connection, 500, 502, 504.
        public static let outcomeUnknown = Code("outcomeUnknown")
        /// The server is busy (503, 429) and did nothing; try later.
        public static let unavailable = Code("unavailable")
        /// The credential is not accepted, also after renewing it.
        public static let unauthorized = Code("unauthorized")
        /// The server's rules refused this request ("Permission denied").
        public static let denied = Code("denied")
        /// The request itself is wrong (400): sending it again can't help.
        public static let refused = Code("refused")
        /// The database is gone, disabled or out of quota (402, 403, 404, 423): needs a person.
        public static let stopped = Code("stopped")
        /// The stream was silent for too long, or was closed.
        public static let streamEnded = Code("streamEnded")
        /// The stream's token ended: open a new one at once.
        public static let tokenEnded = Code("tokenEnded")
    }

    public var code: Code
    /// One line with the server's own words; never a secret, never a URL with one in it.
    public var message: String
    /// What the server asked for in `Retry-After`.
    public var retryAfter: Duration?

    public init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    public var description: String { "\(code.word): \(message)" }
}
