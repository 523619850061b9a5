internal import FirebaseWire
internal import JSONText
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
package import SyncModel

/// What stands below `<meta>` beside the tombstones.
extension FirebaseRemote {
    package func peers() async throws -> [RemotePeer] {
        let answer = try await answer(to: DatabaseRequest(path: try client.location.path(inMeta: "nodes")))
        return PeerSpelling.peers(try parsed(try await body(of: answer))) { client.location.collection(ofKey: $0) }
    }

    package func announce(_ peer: RemotePeer) async throws {
        var request = DatabaseRequest(method: .PATCH, path: try client.location.path(inMeta: "nodes/\(peer.node)"))
        request.query = [.init("print", "silent")]
        let body = PeerSpelling.patch(of: peer) { client.location.key(of: $0) }
        request.body = ByteBuffer(bytes: body)
        try await finish(request, body)
    }

    package func horizon(of collection: CollectionID) async throws -> RemoteHorizon {
        var request = DatabaseRequest(path: try path(ofHorizon: collection))
        request.headers.add(name: "X-Firebase-ETag", value: "true")
        let answer = try await answer(to: request)
        let value = try parsed(try await body(of: answer))
        let isDoubtful = value == .null && answer.etag != Self.nothing
        return RemoteHorizon(stamp: PeerSpelling.horizon(value), etag: isDoubtful ? nil : answer.etag)
    }

    package func raiseHorizon(
        of collection: CollectionID, to stamp: Stamp, ifMatches etag: String
    ) async throws -> Bool {
        var request = DatabaseRequest(method: .PUT, path: try path(ofHorizon: collection))
        request.headers.add(name: "if-match", value: etag)
        request.body = ByteBuffer(bytes: Array(JSONWriter.string(.string(stamp.description)).utf8))
        let answer = try await answer(to: request)
        if answer.status == 412 {
            _ = try await client.body(of: answer)
            return false
        }
        try await confirm(answer) { $0.text == stamp.description }
        return true
    }

    private func path(ofHorizon collection: CollectionID) throws(RemoteError) -> String {
        try client.location.path(inMeta: "horizon/\(client.location.key(of: collection))")
    }
}
