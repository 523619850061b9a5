internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// Collections that are declared in files: whether all nodes were told the same.
extension SyncEngine {
    /// Between two looks, in milliseconds: short at first, as a node that was just set up is looked at.
    private static let pauses: ClosedRange<UInt64> = 5_000...300_000

    /// What stands for this node's own declarations.
    private var declared: [CollectionID: String] {
        var declared: [CollectionID: String] = [:]
        for collection in collections { declared[collection.id] = collection.plugin.declarationDigest }
        return declared
    }

    /// Looks at what other nodes declare, again and again, where anything is declared; runs until cancelled.
    func runDeclarations() async {
        var pause = SyncEngine.pauses.lowerBound
        while !Task.isCancelled {
            await context.clock.sleep(context.clock.monotonic() + pause)
            if Task.isCancelled { return }
            guard !declared.isEmpty, context.remote.keepsTombstones else {
                pause = SyncEngine.pauses.upperBound
                continue
            }
            // Where the remote can't be reached now, the status says so, and later will do.
            if let peers = try? await context.remote.peers() { noteDeclarations(of: peers) }
            pause = min(pause * 2, SyncEngine.pauses.upperBound)
        }
    }

    /// Compares this node's declarations with those of others.
    func noteDeclarations(of peers: [RemotePeer]) {
        let found = DeclarationDifferences.find(
            own: declared, node: context.store.node.description, among: peers, now: context.time.serverNow)
        let names = found.mapValues { $0.map { "\($0.name) (\($0.node))".oneLine } }
        let before = context.status.update { facts in
            defer { facts.declaredOtherwise = names }
            return facts.declaredOtherwise
        }
        for (collection, nodes) in names.sorted(by: { $0.key < $1.key }) where before[collection] != nodes {
            context.logger.warning(
                "Another node declares a collection otherwise",
                metadata: [
                    "event": "declaration.differs", "collection": "\(collection)",
                    "nodes": "\(nodes.joined(separator: ", "))",
                ])
        }
    }
}
