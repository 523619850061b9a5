import SyncCore
import SyncModel
import Testing

struct TombstoneLimitTests {
    private static let now: UInt64 = 1_000_000
    private static let keep: UInt64 = 100_000

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var applied: UInt64 = now
        var peers: [RemotePeer] = []
        var latest: UInt64
        var waitsUntil: UInt64?
    }

    private static func peer(_ seenAt: UInt64?, _ applied: UInt64?, node: String = "00000000000000b2") -> RemotePeer {
        RemotePeer(
            node: node, name: "b", version: "1", seenAt: seenAt, applied: applied.map { ["movies": $0] } ?? [:])
    }

    @Test(arguments: [
        Case(testDescription: "alone, by age", latest: 900_000),
        Case(testDescription: "what this node has not applied", applied: 5, latest: 5),
        Case(testDescription: "a node that keeps up", peers: [peer(950_000, 940_000)], latest: 900_000),
        Case(
            testDescription: "a node that lags behind", peers: [peer(950_000, 700_000)], latest: 700_000,
            waitsUntil: 1_050_000),
        Case(
            testDescription: "a node that has applied none", peers: [peer(900_000, 0)], latest: 0, waitsUntil: 1_000_000
        ),
        Case(testDescription: "a node that was not seen since", peers: [peer(899_999, 0)], latest: 900_000),
        Case(testDescription: "a node without a time", peers: [peer(nil, 0)], latest: 900_000),
        Case(testDescription: "a node of another base", peers: [peer(950_000, nil)], latest: 900_000),
        Case(
            testDescription: "this node's own entry", peers: [peer(950_000, 0, node: "00000000000000a1")],
            latest: 900_000),
        Case(
            testDescription: "the slowest of several", peers: [peer(990_000, 800_000), peer(920_000, 750_000)],
            latest: 750_000, waitsUntil: 1_020_000),
    ])
    func `only what is old and applied everywhere may end`(given: Case) {
        let limit = TombstoneLimit(
            of: "movies", given.peers, but: NodeID(0xA1), applied: given.applied, now: Self.now, keep: Self.keep)
        #expect(limit.latest == given.latest)
        #expect(limit.waitsUntil == given.waitsUntil)
        #expect(limit.cutoff == 900_000)
    }

    @Test func `nothing is too old at the beginning of time`() {
        let limit = TombstoneLimit(of: "movies", [], but: NodeID(1), applied: 9, now: 5, keep: Self.keep)
        #expect(limit.latest == 0)
    }
}
