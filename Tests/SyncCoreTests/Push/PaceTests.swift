import SyncCore
import SyncModel
import Testing

/// How fast, and how soon again.
struct PaceTests {
    @Test func `the window grows by one an answer, until the server does not keep up`() {
        var window = RequestWindow()
        #expect(window.limit == 8)
        for _ in 0..<10 { window.answered(after: 20) }
        #expect(window.limit == 18)
        window.congested()
        #expect(window.limit == 9)
        for _ in 0..<9 { window.answered(after: 20) }
        #expect(window.limit < 11)
        for _ in 0..<5000 { window.answered(after: 20) }
        #expect(window.limit == RequestWindow.most)
    }

    @Test func `half of it is for batches, up to six`() {
        var window = RequestWindow()
        #expect(window.batchLimit == 4)
        for _ in 0..<50 { window.answered(after: 20) }
        #expect(window.batchLimit == 6)
        for _ in 0..<20 { window.congested() }
        #expect(window.batchLimit == 1)
    }

    @Test func `it never closes, and slow answers do not open it`() {
        var window = RequestWindow()
        for _ in 0..<20 { window.congested() }
        #expect(window.limit == 1)
        window.answered(after: 20)
        let before = window
        for _ in 0..<50 { window.answered(after: 251) }
        #expect(window.limit == before.limit)
    }

    @Test func `waits double up to a minute, with jitter, and begin anew after a success`() {
        var backoff = Backoff()
        let waits = (0..<10).map { _ in backoff.failed(random: 1) }
        #expect(waits.prefix(4) == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
        #expect(waits.last == .seconds(60))
        backoff.succeeded()
        let first = backoff.failed(random: 0)
        #expect(first == .milliseconds(250))
    }

    @Test func `a server that asks for more time gets it, up to an hour`() {
        var backoff = Backoff()
        let asked: [Duration] = [.seconds(30), .seconds(100_000), .zero]
        let waits = asked.map { backoff.failed(retryAfter: $0, random: 1) }
        #expect(waits == [.seconds(30), .seconds(3600), .seconds(2)])
    }

    // MARK: Deletes

    /// What a limit says to these deletes, one after the other, of 100 records.
    private func admitted(_ deletes: [(count: Int, now: UInt64)], records: Int = 100) -> [Bool] {
        var limit = DeleteLimit()
        var left = records
        return deletes.map { count, now in
            let isAdmitted = limit.admits(deletes: count, records: left, now: now)
            if isAdmitted { left -= count }
            return isAdmitted
        }
    }

    @Test(arguments: [(5, 0, true), (6, 20, false), (25, 100, true), (26, 100, false)] as [(Int, Int, Bool)])
    func `at most five, or a quarter, may be deleted at once`(deletes: Int, records: Int, isAdmitted: Bool) {
        #expect(admitted([(deletes, 0)], records: records) == [isAdmitted])
    }

    @Test(arguments: [1, 5]) func `what may be deleted and is not yet makes no room for more`(deletes: Int) {
        var limit = DeleteLimit()
        let admitted = (0..<50).map { _ in limit.admits(deletes: deletes, records: 100, now: 0) }
        #expect(admitted.count { $0 } * deletes == 25)
    }

    @Test func `or within a minute, measured by a clock that only goes forward`() {
        let fives = (0..<5).map { (count: 5, now: UInt64($0) * 1000) }
        let admitted = admitted(fives + [(1, 59_000), (1, 59_999), (3, 60_000), (1, 60_001), (0, 60_002)])
        #expect(admitted == [true, true, true, true, true, false, false, true, false, true])
    }
}
