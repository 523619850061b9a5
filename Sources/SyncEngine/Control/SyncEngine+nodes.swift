package import ControlAPI
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension SyncEngine {
    package func nodes() async throws -> [NodeReply] { try await nodes(within: SyncEngine.answerPatience) }

    /// The same, with what the remote may take for its first answer.
    func nodes(within time: Duration) async throws -> [NodeReply] {
        var peers: [RemotePeer] = []
        if context.remote.keepsTombstones {
            if let silence = await remoteSilence(within: time) {
                throw ControlError(502, "remoteFailed", "the nodes can't be read: \(silence)")
            }
            do {
                peers = try await context.remote.peers()
                noteDeclarations(of: peers)
            } catch let error as RemoteError {
                throw ControlError(502, "remoteFailed", "the nodes can't be read from the remote: \(error.message)")
            }
        }
        let own = try await ownEntry(among: peers)
        peers = peers.filter { $0.node != own.node } + [own]
        let declared = own.declared
        var newest: [CollectionID: UInt64] = [:]
        for peer in peers { newest.merge(peer.applied) { max($0, $1) } }
        return peers.sorted { ($0.name, $0.node) < ($1.name, $1.node) }.map { peer in
            NodeReply(peer, newest: newest, declared: declared, isThis: peer.node == own.node)
        }
    }

    /// What this node would write of itself now.
    private func ownEntry(among peers: [RemotePeer]) async throws -> RemotePeer {
        let node = context.store.node.description
        let ids = context.remote.keepsTombstones ? collections.map(\.id) : []
        let applied = try await context.store.read { transaction in
            try ids.map { ($0, try transaction.appliedTombstones(of: $0)) }
        }
        var own = RemotePeer(
            node: node, name: context.nodeName.withLock { $0 }, version: MoviesyncVersion.current,
            seenAt: peers.first { $0.node == node }?.seenAt, applied: Dictionary(uniqueKeysWithValues: applied))
        for id in ids { own.declared[id] = context.card(of: id).declaration }
        return own
    }
}

extension NodeReply {
    fileprivate init(
        _ peer: RemotePeer, newest: [CollectionID: UInt64], declared: [CollectionID: String], isThis: Bool
    ) {
        self.init(
            id: peer.node, name: peer.name, version: peer.version,
            lastSeenAt: peer.seenAt.map { Moment(milliseconds: $0) }, isThis: isThis)
        for (collection, mark) in peer.applied {
            let last = newest[collection] ?? mark
            // Who has seen none lags behind only where there are some.
            collections[collection.name] = Progress(
                appliedAt: mark > 0 ? Moment(milliseconds: mark) : nil,
                behindSeconds: mark > 0 || last == 0 ? Double(last - min(mark, last)) / 1000 : nil)
            guard let digest = peer.declared[collection] else { continue }
            collections[collection.name]?.declaration = digest
            if let own = declared[collection], own != digest {
                collections[collection.name]?.isDeclaredOtherwise = true
            }
        }
    }
}
