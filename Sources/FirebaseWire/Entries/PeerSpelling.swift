internal import JSONText
package import SyncModel

/// How nodes and horizons are spelled below `<meta>` (`docs/protocol.md` section 6), for both ends of the wire.
package enum PeerSpelling {
    private static let applied = "applied"
    private static let declared = "declared"
    private static let seen = "seen"
    private static let told = "told"

    /// The body that is patched over a node's entry: collections that `peer` does not name keep what they have.
    ///
    /// - Parameter key: what stands for a collection's base, see ``MetaKey``.
    package static func patch(of peer: RemotePeer, key: (CollectionID) -> String) -> [UInt8] {
        var members: [String: JSONValue] = [
            "name": .string(peer.name), "version": .string(peer.version),
            seen: .object([".sv": .string("timestamp")]),
        ]
        for (name, numbers) in [(applied, peer.applied), (told, peer.told)] {
            for (collection, number) in numbers {
                members["\(name)/\(key(collection))"] = .integer(Int64(clamping: number))
            }
        }
        for (collection, digest) in peer.declared { members["\(declared)/\(key(collection))"] = .string(digest) }
        return JSONWriter.text(.object(members))
    }

    /// The entries of all nodes, in the order of their ids; what can't be one is left out.
    ///
    /// - Parameter collection: the collection whose base a key stands for; nil for one that is not used here.
    package static func peers(_ value: JSONValue, collection: (String) -> CollectionID?) -> [RemotePeer] {
        (value.members ?? [:]).compactMap { node, entry in
            guard let members = entry.members else { return nil }
            var peer = RemotePeer(
                node: node, name: members["name"]?.text ?? "", version: members["version"]?.text ?? "",
                seenAt: number(members[seen]), applied: numbers(members[applied], collection))
            peer.told = numbers(members[told], collection)
            for (key, value) in members[declared]?.members ?? [:] {
                if let collection = collection(key), let digest = value.text { peer.declared[collection] = digest }
            }
            return peer
        }.sorted { $0.node < $1.node }
    }

    private static func numbers(
        _ value: JSONValue?, _ collection: (String) -> CollectionID?
    ) -> [CollectionID: UInt64] {
        var found: [CollectionID: UInt64] = [:]
        for (key, value) in value?.members ?? [:] {
            if let collection = collection(key), let number = number(value) { found[collection] = number }
        }
        return found
    }

    private static func number(_ value: JSONValue?) -> UInt64? { value?.whole.flatMap { UInt64(exactly: $0) } }

    /// What stands at a horizon.
    package static func horizon(_ value: JSONValue) -> Stamp? { value.text.flatMap { Stamp($0) } }
}
