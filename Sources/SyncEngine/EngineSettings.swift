package import SyncModel

/// How much of a collection is read from the remote at a start.
package enum PullMode: String, Hashable, Sendable, CaseIterable {
    /// The whole collection, always: right where apps without stamps write too.
    case full
    /// What changed since the last time, by the server's time of each write.
    case incremental
}

/// Which way writes are guarded against losing what others wrote meanwhile.
package enum WriteGuard: String, Hashable, Sendable, CaseIterable {
    /// Conditional requests, record by record.
    case etag
    /// The shipped security rules are deployed and bind our credential: everything goes in batches.
    case rules
}

/// What the engine needs to know; all of it is checked before.
package struct EngineSettings: Sendable {
    package var journalPath: String
    package var changesPath: String
    /// The enabled collections, in the order of the configuration.
    package var collections: [(id: CollectionID, pull: PullMode)]
    package var writeGuard: WriteGuard
    /// Milliseconds.
    package var clockMaxAhead: UInt64

    package init(
        journalPath: String, changesPath: String, collections: [(id: CollectionID, pull: PullMode)],
        writeGuard: WriteGuard = .etag, clockMaxAhead: UInt64 = 60_000
    ) {
        self.journalPath = journalPath
        self.changesPath = changesPath
        self.collections = collections
        self.writeGuard = writeGuard
        self.clockMaxAhead = clockMaxAhead
    }
}
