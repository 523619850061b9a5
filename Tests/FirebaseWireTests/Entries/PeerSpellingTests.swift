import FirebaseWire
import JSONText
import SyncModel
import Testing

struct PeerSpellingTests {
    @Test func `what a node declares stands beside what it has applied`() throws {
        var peer = RemotePeer(
            node: "00000000000000a1", name: "attic", version: "1", applied: ["books": 5, "movies": 6])
        peer.declared = ["books": "0123456789abcdef"]
        let patch = try JSONReader.members(PeerSpelling.patch(of: peer) { "base-\($0)" })
        #expect(patch["applied/base-books"] == 5 && patch["applied/base-movies"] == 6)
        #expect(patch["declared/base-books"] == "0123456789abcdef" && patch["declared/base-movies"] == nil)
    }

    @Test func `what other nodes declare is read where the base is known here`() {
        let entries: JSONValue = [
            "00000000000000a1": [
                "name": "attic", "version": "1", "seen": 7, "applied": ["books": 5],
                "declared": ["books": "d1", "elsewhere": "d2", "movies": 9],
            ]
        ]
        let peers = PeerSpelling.peers(entries) { $0 == "elsewhere" ? nil : CollectionID($0) }
        #expect(peers.map(\.declared) == [["books": "d1"]])
    }

    @Test func `how often a node has told of a collection is written beside the rest, and read again`() throws {
        var peer = RemotePeer(node: "00000000000000a1", name: "attic", version: "1", applied: ["movies": 6])
        peer.told = ["movies": 3]
        let patch = try JSONReader.members(PeerSpelling.patch(of: peer) { "base-\($0)" })
        #expect(patch["told/base-movies"] == 3)
        let entries: JSONValue = ["00000000000000a1": ["told": ["movies": 3, "books": "many", "elsewhere": 4]]]
        let peers = PeerSpelling.peers(entries) { $0 == "elsewhere" ? nil : CollectionID($0) }
        #expect(peers.map(\.told) == [["movies": 3]])
    }
}
