package import SyncModel

/// What the engine needs to know; all of it is checked before.
package struct EngineSettings: Sendable {
    package var journalPath: String
    package var changesPath: String
    /// The enabled collections, in the order of the configuration.
    package var collections: [(id: CollectionID, pull: PullMode, merge: MergeMode)]
    package var writeGuard: WriteGuard
    /// Milliseconds.
    package var clockMaxAhead: UInt64

    package init(
        journalPath: String, changesPath: String, collections: [(id: CollectionID, pull: PullMode, merge: MergeMode)],
        writeGuard: WriteGuard = .etag, clockMaxAhead: UInt64 = 60_000
    ) {
        self.journalPath = journalPath
        self.changesPath = changesPath
        self.collections = collections
        self.writeGuard = writeGuard
        self.clockMaxAhead = clockMaxAhead
    }
}
