import Testing

@testable import Accounts

/// Limits that can be changed inside of an expectation.
private final class Guarded {
    private var limits: AttemptLimits

    init(capacity: Int = 1000) { limits = AttemptLimits(capacity: capacity) }

    func begin(_ keys: [String], now: Int64) -> Bool { limits.begin(keys, now: now) }
    func forgive(_ keys: [String], begunAt now: Int64) { limits.forgive(keys, begunAt: now) }
}

/// Guessing is slow.
struct AttemptLimitsTests {
    @Test func `ten attempts in ten minutes, by each key`() {
        let limits = Guarded()
        for second in 0..<10 { #expect(limits.begin(["anna", "1.2.3.4"], now: Int64(second) * 1000)) }
        #expect(!limits.begin(["anna", "5.6.7.8"], now: 10_000))
        #expect(!limits.begin(["bob", "1.2.3.4"], now: 10_000))
        #expect(limits.begin(["bob", "5.6.7.8"], now: 10_000))
        #expect(!limits.begin(["anna"], now: 599_999))
        #expect(limits.begin(["anna"], now: 600_000))
        #expect(!limits.begin(["anna"], now: 600_000))
    }

    @Test func `what goes well does not count`() {
        let limits = Guarded()
        for time in Int64(0)..<100 {
            #expect(limits.begin(["anna"], now: time))
            limits.forgive(["anna"], begunAt: time)
        }
    }

    @Test func `very many keys take no more room`() {
        let limits = Guarded(capacity: 100)
        for _ in 0..<10 { #expect(limits.begin(["anna"], now: 1000)) }
        for key in 0..<90 { #expect(limits.begin(["\(key)"], now: Int64(key))) }
        // One more than there is room for: the quiet half is forgotten, and who tries most is not.
        for key in 90..<110 { #expect(limits.begin(["\(key)"], now: 500)) }
        #expect(!limits.begin(["anna"], now: 1000))
    }
}
