package import SyncModel

/// Finds the nodes that declare a collection otherwise than this one (`docs/protocol.md` section 11).
package enum DeclarationDifferences {
    /// In milliseconds: a node that is there says so at least once a day.
    private static let silence: UInt64 = 3 * 86_400_000

    /// - Parameters:
    ///   - own: what stands for this node's declarations; a collection that is compiled in has none.
    ///   - now: the server's time.
    /// - Returns: for each collection where there are some, the other nodes, in their order. One that says nothing of its
    ///   declaration, or has been silent for days, is none of them.
    package static func find(
        own: [CollectionID: String], node: String, among peers: [RemotePeer], now: UInt64
    ) -> [CollectionID: [RemotePeer]] {
        var found: [CollectionID: [RemotePeer]] = [:]
        for (collection, digest) in own {
            let others = peers.filter { peer in
                guard peer.node != node, let other = peer.declared[collection] else { return false }
                return other != digest && (peer.seenAt ?? 0) + silence > now
            }
            if !others.isEmpty { found[collection] = others }
        }
        return found
    }
}
