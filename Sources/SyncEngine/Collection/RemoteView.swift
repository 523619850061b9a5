internal import PluginKit
internal import SyncModel

/// What the streams of a collection have shown, beyond what the store keeps.
struct RemoteView: Sendable {
    /// While a snapshot of the records is coming in: the records it has shown.
    var shown: Set<RecordID>?
    /// What the base knew before the present snapshot was asked for: only that can be missing from it. Nil once that
    /// snapshot has begun: a later one on the same stream shows all that was known when it came.
    var known: Set<RecordID>?
    /// A whole snapshot has come in, and the missing ones are not dealt with yet.
    var completeSnapshot: CompleteSnapshot?
    /// The stream of the tombstones has delivered its snapshot and is live.
    var tombstonesLive = false
    /// The highest server time of a write seen, per stream.
    var newestTime: [Keyspace: UInt64] = [:]
}
