internal import PluginKit
internal import SyncModel

extension RemoteConformance {
    static let peers = [
        RemotePromise("a node's entry is read as it was written, seen now") { check in
            guard check.remote.keepsTombstones else {
                return await check.expect(.refused, "without tombstones, reading nodes") { [remote = check.remote] in
                    _ = try await remote.peers()
                }
            }
            check.expect(try await check.remote.peers(), is: [], "the nodes of an empty remote")
            let collection = check.sample.collection
            var first = RemotePeer(node: "00000000000000a1", name: "attic", version: "1", applied: [collection: 5])
            let second = RemotePeer(node: "00000000000000b2", name: "cellar", version: "2", applied: [:])
            try await check.remote.announce(second)
            try await check.remote.announce(first)
            first.version = "3"
            first.applied = [collection: 7]
            first.told = [collection: 2]
            try await check.remote.announce(first)
            let found = try await check.remote.peers()
            check.expect(found.allSatisfy { $0.seenAt != nil }, "an entry has the server's time")
            let unseen = found.map {
                var peer = RemotePeer(node: $0.node, name: $0.name, version: $0.version, applied: $0.applied)
                peer.told = $0.told
                return peer
            }
            check.expect(unseen, is: [first, second], "the nodes")
            (first.applied, first.told) = ([:], [:])
            try await check.remote.announce(first)
            let left = try await check.remote.peers().first
            check.expect(left?.applied, is: [collection: 7], "what an entry does not name")
            check.expect(left?.told, is: [collection: 2], "how often was told, which an entry does not name")
        },
        RemotePromise("the horizon is raised only by who has seen it") { check in
            guard check.remote.keepsTombstones else { return }
            let (remote, collection) = (check.remote, check.sample.collection)
            let before = try await remote.horizon(of: collection)
            check.expect(before.stamp, is: nil, "the horizon of an empty remote")
            check.expect(
                try await remote.raiseHorizon(of: collection, to: RemoteCheck.stamp(4), ifMatches: before.etag ?? ""),
                is: true, "raising with the ETag that was read")
            check.expect(
                try await remote.raiseHorizon(of: collection, to: RemoteCheck.stamp(6), ifMatches: before.etag ?? ""),
                is: false, "raising with an old ETag")
            let after = try await remote.horizon(of: collection)
            check.expect(after.stamp, is: RemoteCheck.stamp(4), "the horizon")
            check.expect(
                try await remote.raiseHorizon(of: collection, to: RemoteCheck.stamp(6), ifMatches: after.etag ?? ""),
                is: true, "raising it again")
            check.expect(
                try await remote.horizon(of: collection).stamp, is: RemoteCheck.stamp(6), "the horizon after that")
        },
    ]
}
