internal import PluginKit
internal import SyncCore
internal import SyncModel

/// What the remote is given to hold.
extension CollectionSync {
    /// The record as `local` says; nil for a delete.
    func write(_ state: RecordState, _ local: Version, key: String) -> RemoteWrite? {
        local.content.map {
            RemoteWrite(
                key: key, body: .record($0, identityFields: plugin.identityFields(state.key.id)), stamp: local.stamp)
        }
    }

    /// The tombstone of a delete with this stamp, and what the remote holds once it is written. It names the content
    /// that was deleted, where that is known.
    func tombstone(of state: RecordState, stamp: Stamp) -> (write: RemoteWrite, known: KnownTombstone) {
        let deleted = state.remote?.content.hash ?? state.tombstone?.contentHash
        return (
            RemoteWrite(key: state.key.id.description, body: .tombstone(ended: deleted), stamp: stamp),
            KnownTombstone(stamp: stamp, contentHash: deleted)
        )
    }
}
