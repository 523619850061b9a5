package import SyncModel

/// What the daemon knows about itself at one moment; the answer of `GET /v1/status`.
package struct StatusSnapshot: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable { case starting, running, paused, degraded, stopping }

    /// The version of the daemon.
    package var version: String
    /// The id of the node, 16 hexadecimal digits.
    package var node: String
    package var pid: Int32
    package var startedAt: Moment
    package var state: State
    package var journal: JournalStatus
    /// By the name of the collection.
    package var collections: [String: CollectionStatus]
    package var remote: RemoteStatus
    package var holds: [HoldReply]
    /// The last moment at which nothing was pending, the stream was live and every acknowledgement was confirmed.
    @Nullable package var convergedAt: Moment?
    /// The directions (`push`, `pull`) that a person paused.
    package var pausedDirections: [String]
    /// The sequence number of the newest entry of the change feed; 0 where there is none.
    package var lastChange: Int64

    package init(
        version: String = MoviesyncVersion.current, node: String, pid: Int32, startedAt: Moment, state: State,
        journal: JournalStatus, collections: [String: CollectionStatus], remote: RemoteStatus, holds: [HoldReply] = [],
        convergedAt: Moment? = nil, pausedDirections: [Direction] = [], lastChange: Int64 = 0
    ) {
        self.version = version
        self.node = node
        self.pid = pid
        self.startedAt = startedAt
        self.state = state
        self.journal = journal
        self.collections = collections
        self.remote = remote
        self.holds = holds
        self.convergedAt = convergedAt
        self.pausedDirections = pausedDirections.map(\.rawValue)
        self.lastChange = lastChange
    }

    /// The number of records, in all collections, that the remote does not have yet.
    package var pending: Int { collections.values.reduce(0) { $0 + $1.pending } }
}

/// How far the journal has been read.
package struct JournalStatus: Codable, Hashable, Sendable {
    package var path: String
    /// The end of the last consumed line, in bytes.
    package var offset: UInt64
    /// The size of the file, in bytes.
    package var size: UInt64
    /// The number of lines consumed since the state was made.
    package var lines: Int
    /// The number of its lines in quarantine.
    package var quarantined: Int
    @Nullable package var lastReadAt: Moment?
    /// Why the journal can't be read at the moment.
    @Nullable package var lastError: String?

    package init(
        path: String, offset: UInt64 = 0, size: UInt64 = 0, lines: Int = 0, quarantined: Int = 0,
        lastReadAt: Moment? = nil, lastError: String? = nil
    ) {
        self.path = path
        self.offset = offset
        self.size = size
        self.lines = lines
        self.quarantined = quarantined
        self.lastReadAt = lastReadAt
        self.lastError = lastError
    }
}

/// The counters of one collection; each equals a recount of the state.
package struct CollectionStatus: Codable, Hashable, Sendable {
    package var records: Int
    package var tombstones: Int
    /// Records, deleted ones included, that the remote does not have yet.
    package var pending: Int
    /// The age of the oldest of these.
    @Nullable package var oldestPendingSeconds: Double?
    package var quarantined: Int
    package var conflicts: Int

    package init(
        records: Int = 0, tombstones: Int = 0, pending: Int = 0, oldestPendingSeconds: Double? = nil,
        quarantined: Int = 0, conflicts: Int = 0
    ) {
        self.records = records
        self.tombstones = tombstones
        self.pending = pending
        self.oldestPendingSeconds = oldestPendingSeconds
        self.quarantined = quarantined
        self.conflicts = conflicts
    }
}

/// How the daemon gets on with the remote.
package struct RemoteStatus: Codable, Hashable, Sendable {
    package enum Stream: String, Codable, Sendable { case connecting, snapshot, live, down }

    /// The name of the remote plugin.
    package var plugin: String
    /// Where the remote is; never with a secret in it.
    package var url: String
    package var stream: Stream
    @Nullable package var lastPushAt: Moment?
    @Nullable package var lastPullAt: Moment?
    @Nullable package var lastError: String?
    /// When the next attempt is made, while backing off.
    @Nullable package var retryAt: Moment?
    /// The remote's clock less this machine's, in milliseconds.
    package var clockOffsetMs: Int64
    package var requests: Int
    package var bytesSent: Int
    package var bytesReceived: Int

    package init(
        plugin: String, url: String, stream: Stream = .connecting, lastPushAt: Moment? = nil, lastPullAt: Moment? = nil,
        lastError: String? = nil, retryAt: Moment? = nil, clockOffsetMs: Int64 = 0, requests: Int = 0,
        bytesSent: Int = 0, bytesReceived: Int = 0
    ) {
        self.plugin = plugin
        self.url = url
        self.stream = stream
        self.lastPushAt = lastPushAt
        self.lastPullAt = lastPullAt
        self.lastError = lastError
        self.retryAt = retryAt
        self.clockOffsetMs = clockOffsetMs
        self.requests = requests
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }
}
