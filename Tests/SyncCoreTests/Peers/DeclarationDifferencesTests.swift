import SyncModel
import Testing

@testable import SyncCore

struct DeclarationDifferencesTests {
    private static let now: UInt64 = 1_800_000_000_000

    private static func peer(_ node: String, _ digest: String?, seen: UInt64? = now) -> RemotePeer {
        var peer = RemotePeer(node: node, name: "n", version: "1", seenAt: seen, applied: ["books": 1])
        peer.declared["books"] = digest
        return peer
    }

    private static func nodes(_ peers: [RemotePeer], own: [CollectionID: String] = ["books": "a"]) -> [String] {
        DeclarationDifferences.find(own: own, node: "own", among: peers, now: now)["books"]?.map(\.node) ?? []
    }

    @Test func `a node with another declaration is found, one with the same or none is not`() {
        let peers = [Self.peer("x", "b"), Self.peer("y", "a"), Self.peer("z", nil), Self.peer("own", "old")]
        #expect(Self.nodes(peers) == ["x"])
    }

    @Test func `a node that has been silent for days does not count`() {
        let days: UInt64 = 3 * 86_400_000
        #expect(Self.nodes([Self.peer("x", "b", seen: Self.now - days)]) == [])
        #expect(Self.nodes([Self.peer("x", "b", seen: Self.now - days + 1)]) == ["x"])
        #expect(Self.nodes([Self.peer("x", "b", seen: nil)]) == [])
    }

    @Test func `what is compiled in here is not compared`() {
        #expect(Self.nodes([Self.peer("x", "b")], own: [:]) == [])
    }
}
