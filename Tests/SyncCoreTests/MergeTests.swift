import JSONText
import SyncCore
import SyncModel
import TestSupport
import Testing

struct MergeTests {
    private func version(_ random: inout SeededRandom) -> Version {
        let stamp = Stamp(
            physical: UInt64(random.below(3)), counter: UInt16(random.below(3)), node: NodeID(UInt64(random.below(2))))
        return Version(random.chance(25) ? nil : Content(fields: ["n": .integer(Int64(random.below(3)))]), stamp)
    }

    @Test func `merging is commutative, associative and idempotent, and beating is one-sided`() {
        var random = SeededRandom(1)
        for _ in 0..<3000 {
            let (a, b, c) = (version(&random), version(&random), version(&random))
            #expect(Version.merged(a, b) == Version.merged(b, a))
            #expect(Version.merged(Version.merged(a, b), c) == Version.merged(a, Version.merged(b, c)))
            #expect(Version.merged(a, a) == a)
            #expect(!(a.beats(b) && b.beats(a)))
            #expect(!a.beats(a))
            if a != b { #expect(a.beats(b) || b.beats(a)) }
        }
    }

    @Test func `versions come to the same end in any order, with any duplication`() {
        var random = SeededRandom(2)
        for _ in 0..<300 {
            let versions = (0..<5).map { _ in version(&random) }
            let winner = versions.reduce(versions[0], Version.merged)
            for _ in 0..<4 {
                let order = (versions + versions).shuffled(using: &random)
                #expect(order.reduce(order[0], Version.merged) == winner)
            }
        }
    }

    @Test func `the higher stamp wins, edit against delete alike; the hash decides between equal stamps`() {
        let early = Stamp(physical: 1, counter: 0, node: NodeID(9))
        let late = Stamp(physical: 1, counter: 2, node: NodeID(1))
        let content = Content(fields: ["a": 1])
        #expect(Version(nil, late).beats(Version(content, early)))
        #expect(Version(content, late).beats(Version(nil, early)))
        #expect(Version(content, late).beats(Version(nil, late)))
    }
}

struct GuardTests {
    @Test(arguments: [(0, 5), (5, 5), (23, 5), (24, 6), (100, 25), (1000, 250)])
    func `so many deletes pass at once`(records: Int, limit: Int) {
        var window = DeleteLimit()
        #expect(DeleteLimit.limit(records: records) == limit)
        let asked: [(deletes: Int, records: Int, now: UInt64)] = [
            (limit + 1, records, 0), (limit, records, 0), (1, records - limit, 59_999), (1, records - limit, 60_000),
        ]
        let answers = asked.map { window.admits(deletes: $0.deletes, records: $0.records, now: $0.now) }
        #expect(answers == [false, true, false, true])
    }

    @Test func `deletes one by one are counted together, out of what there was`() {
        var window = DeleteLimit()
        var live = 100
        var passed = 0
        for now in 0..<100 where window.admits(deletes: 1, records: live, now: UInt64(now)) {
            live -= 1
            passed += 1
        }
        #expect(passed == 25)
    }

    @Test func `no deletes are no question`() {
        var window = DeleteLimit()
        let admitted = window.admits(deletes: 0, records: 0, now: 0)
        #expect(admitted)
    }

    @Test func `waits double from half a second to a minute, and start anew after a success`() {
        var backoff = Backoff()
        let waits = (0..<9).map { _ in backoff.failed(random: 1) }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 32, 60, 60].map { Duration.seconds($0) })
        backoff.succeeded()
        let afterSuccess = backoff.failed(random: 0)
        #expect(afterSuccess == .milliseconds(250))
    }

    @Test(arguments: [(5, 5), (0, 0.5), (7200, 3600)] as [(Double, Double)])
    func `the server's wish counts, up to an hour`(wish: Double, wait: Double) {
        var backoff = Backoff()
        let waited = backoff.failed(retryAfter: .seconds(wish), random: 1)
        #expect(waited == .seconds(wait))
    }
}
