import Testing

@testable import SyncEngine

@Suite struct FeedLimitsTests {
    private let limits = FeedLimits(keep: 1_000, capacity: 100)

    @Test(
        arguments: [
            (0, nil, false), (99, nil, false), (49, 9_500, false), (50, 9_500, true), (1, 9_000, false),
            (1, 8_999, true),
        ] as [(UInt64, UInt64?, Bool)])
    func `a file is full by half of the size, or by the age of its first line`(
        size: UInt64, first: UInt64?, isFull: Bool
    ) {
        #expect(limits.isFull(size: size, first: first, now: 10_000) == isFull)
    }

    @Test func `where nobody knows what time it is nothing is too old, but a file may be too large`() {
        #expect(limits.cutoff(now: nil) == 0)
        #expect(!limits.isFull(size: 49, first: 1, now: nil) && limits.isFull(size: 50, first: 1, now: nil))
    }

    @Test(
        arguments: [
            (nil, 0, 0, 0, false), (nil, 7, 9, 7, false), (8, 7, 9, 8, false), (9, 7, 9, 9, false), (3, 7, 9, 3, false),
            (10, 7, 9, 7, true),
        ] as [(Int64?, Int64, Int64, Int64, Bool)])
    func `a file goes on after its last entry, unless the state never came so far`(
        found: Int64?, known: Int64, newest: Int64, last: Int64, isAhead: Bool
    ) {
        let place = ChangeFeed.last(found: found, known: known, newest: newest)
        #expect(place.last == last && place.isAhead == isAhead)
    }

    @Test func `without limits nothing goes`() {
        #expect(FeedLimits().cutoff(now: 10_000) == 0)
        #expect(!FeedLimits().isFull(size: 1 << 40, first: 0, now: 10_000))
    }
}
