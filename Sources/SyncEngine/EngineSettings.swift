package import SyncModel

/// What the engine needs to know; all of it is checked before.
package struct EngineSettings: Sendable {
    package var journalPath: String
    package var changesPath: String
    /// Where the sessions of people are kept; nil for nowhere.
    package var sessionsPath: String?
    package var users = UserSettings()
    /// Where the control socket has to be as long as the daemon runs; nil where it is not the daemon's.
    package var socketPath: String?
    /// The enabled collections, in the order of the configuration.
    package var collections: [(id: CollectionID, pull: PullMode, merge: MergeMode)]
    package var writeGuard: WriteGuard
    /// What stands for the place where the remote keeps a collection: another one has another place.
    package var places: [CollectionID: String] = [:]
    /// What stands for where nodes tell of themselves, beside that.
    package var meta = ""
    /// Milliseconds.
    package var clockMaxAhead: UInt64
    /// How long tombstones are kept, in milliseconds.
    package var keep: UInt64
    /// How much of the change feed is kept.
    package var feed: FeedLimits
    /// What other nodes see this one called.
    package var nodeName: String

    package init(
        journalPath: String, changesPath: String, collections: [(id: CollectionID, pull: PullMode, merge: MergeMode)],
        writeGuard: WriteGuard = .etag, clockMaxAhead: UInt64 = 60_000, keep: UInt64 = 90 * 86_400_000,
        feed: FeedLimits = .init(), nodeName: String = "?"
    ) {
        self.journalPath = journalPath
        self.changesPath = changesPath
        self.collections = collections
        self.writeGuard = writeGuard
        self.clockMaxAhead = clockMaxAhead
        self.keep = keep
        self.feed = feed
        self.nodeName = nodeName
    }
}
