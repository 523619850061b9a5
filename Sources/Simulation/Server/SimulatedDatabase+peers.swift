internal import FirebaseWire
internal import JSONText
internal import SyncModel

/// What stands in the database beside records and tombstones.
extension SimulatedDatabase {
    private static func path(inMeta keys: [String]) -> WirePath {
        WirePath((["moviesync"] + keys).map { WireKey(unchecked: $0) })
    }

    func peers() -> [RemotePeer] {
        PeerSpelling.peers(value(at: SimulatedDatabase.path(inMeta: ["nodes"]))) { CollectionID($0) }
    }

    func announce(_ peer: RemotePeer, by writer: Writer, now: UInt64) throws {
        let body = try JSONReader.members(PeerSpelling.patch(of: peer) { $0.name })
        let before = writes
        seenBefore[peer.node] = peers().first { $0.node == peer.node }?.seenAt
        try write(
            body.map { key, value in
                let keys = key.split(separator: "/").map(String.init)
                return Change(
                    path: SimulatedDatabase.path(inMeta: ["nodes", peer.node] + keys), body: JSONWriter.text(value))
            }, by: writer, now: now)
        announcements += writes - before
    }

    func horizon(of collection: CollectionID) -> RemoteHorizon {
        let path = SimulatedDatabase.path(inMeta: ["horizon", collection.name])
        return RemoteHorizon(stamp: PeerSpelling.horizon(value(at: path)), etag: etag(at: path))
    }

    func raiseHorizon(
        of collection: CollectionID, to stamp: Stamp, ifMatches etag: String, by writer: Writer, now: UInt64
    ) throws -> Bool {
        let path = SimulatedDatabase.path(inMeta: ["horizon", collection.name])
        guard self.etag(at: path) == etag else { return false }
        try write([Change(path: path, body: JSONWriter.text(.string(stamp.description)))], by: writer, now: now)
        return true
    }
}
