import SyncModel
import Testing

@testable import SyncCore

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

    @Test func `half of it is for batches, up to twelve`() {
        var window = RequestWindow()
        #expect(window.batchLimit == 4)
        for _ in 0..<50 { window.answered(after: 20) }
        #expect(window.batchLimit == 12)
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

    @Test func `what fails after it has run for longer than the longest wait fails for the first time`() {
        var backoff = Backoff()
        for _ in 0..<10 {
            backoff.ran(for: 1000)
            _ = backoff.failed(random: 1)
        }
        backoff.ran(for: 60_000)
        #expect(backoff.failed(random: 1) == .seconds(60))
        backoff.ran(for: 60_001)
        #expect(backoff.failed(random: 1) == .milliseconds(500))
    }

    @Test func `a server that asks for more time gets it, up to an hour`() {
        var backoff = Backoff()
        let asked: [Duration] = [.seconds(30), .seconds(100_000), .zero]
        let waits = asked.map { backoff.failed(retryAfter: $0, random: 1) }
        #expect(waits == [.seconds(30), .seconds(3600), .seconds(2)])
    }

    // MARK: Deletes

    private func ids(_ numbers: Range<UInt64>) -> [RecordID] { numbers.map { RecordID(high: 1, low: $0) } }

    /// What a limit says to these deletes, one after the other, of 100 records.
    private func admitted(_ deletes: [(count: Int, now: UInt64)], records: Int = 100) -> [Bool] {
        var limit = DeleteLimit()
        var (left, last) = (records, UInt64(0))
        return deletes.map { count, now in
            let isAdmitted = limit.admits(deletes: ids(last..<last + UInt64(count)), records: left, now: now)
            last += UInt64(count)
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
        let admitted = (0..<50 as Range<UInt64>).map { batch in
            let first = batch * UInt64(deletes)
            return limit.admits(deletes: ids(first..<first + UInt64(deletes)), records: 100, now: 0)
        }
        #expect(admitted.count { $0 } * deletes == 25)
    }

    @Test func `or within a minute, measured by a clock that only goes forward`() {
        let fives = (0..<5).map { (count: 5, now: UInt64($0) * 1000) }
        let admitted = admitted(fives + [(1, 59_000), (1, 59_999), (3, 60_000), (1, 60_001), (0, 60_002)])
        #expect(admitted == [true, true, true, true, true, false, false, true, false, true])
    }

    @Test func `a record that is deleted again and again is one, and counts from its last delete on`() {
        var limit = DeleteLimit()
        for now in 0..<100 as Range<UInt64> {
            let isAdmitted = limit.admits(deletes: ids(0..<1), records: 1, now: now)
            #expect(isAdmitted)
        }
        let four = limit.admits(deletes: ids(1..<5), records: 5, now: 50_000)
        let again = limit.admits(deletes: ids(0..<5), records: 5, now: 59_000)
        let other = limit.admits(deletes: ids(5..<6), records: 5, now: 118_000)
        let later = limit.admits(deletes: ids(5..<6), records: 5, now: 119_000)
        #expect((four, again, other, later) == (true, true, false, true))
    }

    @Test func `of many records each delete counts`() {
        var limit = DeleteLimit()
        let admitted = (0..<3).map { _ in limit.admits(deletes: ids(0..<100), records: 1_000, now: 0) }
        #expect(admitted == [true, true, false])
        // A batch that is known by name stays so.
        var few = DeleteLimit()
        let both = [ids(0..<64), ids(0..<64), ids(100..<101), ids(100..<101), ids(0..<64)].map {
            few.admits(deletes: $0, records: 264, now: 0)
        }
        #expect(both == [true, true, true, true, true])
        let over = few.admits(deletes: ids(100..<101), records: 264, now: 0)
        #expect(!over)
    }

    @Test func `a restart forgets neither how many were deleted nor which`() {
        var limit = DeleteLimit()
        let done = limit.admits(deletes: ids(0..<4), records: 20, now: 70_000)
        #expect(done)
        let text = limit.noted(wall: 1_000_000)
        #expect(text.hasPrefix("4 1000000 20 "))
        for wall: UInt64 in [1_000_001, 1_059_999] {
            var next = DeleteLimit(noted: text, wall: wall, now: 5)
            let same = next.admits(deletes: ids(0..<4), records: 1, now: 6)
            let fifth = next.admits(deletes: ids(4..<5), records: 1, now: 6)
            let sixth = next.admits(deletes: ids(5..<6), records: 1, now: 6)
            #expect((same, fifth, sixth) == (true, true, false))
        }
        var past = DeleteLimit(noted: text, wall: 1_060_001, now: 5)
        let isAdmitted = past.admits(deletes: ids(10..<15), records: 1, now: 6)
        #expect(isAdmitted)
    }

    @Test(arguments: ["4 1000000 20", "4 1000000", "4 1000000 20 zebra 7"])
    func `what an earlier version has noted counts as a number`(text: String) {
        var limit = DeleteLimit(noted: text, wall: 1_000_000, now: 5)
        let fifth = limit.admits(deletes: ids(0..<1), records: 1, now: 6)
        let sixth = limit.admits(deletes: ids(1..<2), records: 1, now: 6)
        #expect((fifth, sixth) == (true, false))
    }
}
