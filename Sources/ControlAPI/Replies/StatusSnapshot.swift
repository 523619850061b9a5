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
    /// What the state holds of collections that are not enabled, by name; left out where there is nothing.
    package var disabled: [String: DisabledCollection]?
    package var remote: RemoteStatus
    package var holds: [HoldReply]
    /// The last moment at which nothing was pending, the stream was live, every acknowledgement was confirmed, and nothing
    /// that the remote shows waited in a hold or in the quarantine.
    @Nullable package var convergedAt: Moment?
    /// The directions (`push`, `pull`) that a person paused.
    package var pausedDirections: [String]
    /// The sequence number of the newest entry of the change feed; 0 where there is none.
    package var lastChange: Int64
    /// The plugins in other processes; null where none is configured.
    @Nullable package var plugins: [PluginReply]?
    /// Who is told of changes; null where nobody is.
    @Nullable package var hooks: [HookReply]?
    /// Who has signed in at the remote from this machine, by name; null where nobody has.
    @Nullable package var people: [PersonStatus]?
    /// What is wrong, as `GET /v1/health` says it; null from a daemon that does not say.
    @Nullable package var health: HealthReport?

    /// A collection that is not enabled: what is here of it stays, and goes nowhere.
    package struct DisabledCollection: Codable, Hashable, Sendable {
        package var records: Int
        package var pending: Int

        package init(records: Int, pending: Int) {
            self.records = records
            self.pending = pending
        }
    }

    /// A person who has signed in.
    package struct PersonStatus: Codable, Hashable, Sendable {
        package var name: String
        package var uid: String
        package var state: SessionReply.State

        package init(name: String, uid: String, state: SessionReply.State) {
            self.name = name
            self.uid = uid
            self.state = state
        }
    }

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
        plugins = nil
        hooks = nil
        people = nil
        health = nil
    }

    /// The number of records, in all collections, that the remote does not have yet.
    package var pending: Int { collections.values.reduce(0) { $0 + $1.pending } }
}
