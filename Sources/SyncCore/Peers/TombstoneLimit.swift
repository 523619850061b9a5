package import SyncModel

/// Which tombstones may end: those that are old enough, and that every node has applied which was seen since
/// (`docs/protocol.md` section 11).
package struct TombstoneLimit: Hashable, Sendable {
    /// The server's time of the latest write of a tombstone that may end.
    package var latest: UInt64
    /// When it is worth looking again, by the server's time: a node that lags behind is not waited for any more then. Nil
    /// where none lags.
    package var waitsUntil: UInt64?
    /// The latest write that is old enough.
    package var cutoff: UInt64

    /// - Parameters:
    ///   - applied: the server's time up to which this node has applied every tombstone of the collection.
    ///   - now: the server's time.
    ///   - keep: how long tombstones are kept, in milliseconds.
    package init(
        of collection: CollectionID, _ peers: [RemotePeer], but node: NodeID, applied: UInt64, now: UInt64, keep: UInt64
    ) {
        cutoff = now - min(keep, now)
        latest = min(cutoff, applied)
        for peer in peers where peer.node != node.description {
            guard let seen = peer.seenAt, seen >= cutoff, let mark = peer.applied[collection], mark < cutoff else {
                continue
            }
            latest = min(latest, mark)
            waitsUntil = min(waitsUntil ?? .max, seen + keep)
        }
    }
}
