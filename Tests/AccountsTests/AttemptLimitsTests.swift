import Testing

@testable import Accounts

/// Guessing is slow.
struct AttemptLimitsTests {
    @Test func `ten failures in ten minutes, by each key`() {
        var limits = AttemptLimits()
        for second in 0..<10 {
            #expect(limits.mayTry(["anna", "1.2.3.4"], most: 10, now: Int64(second) * 1000))
            limits.count(["anna", "1.2.3.4"], now: Int64(second) * 1000)
        }
        #expect(!limits.mayTry(["anna", "5.6.7.8"], most: 10, now: 10_000))
        #expect(!limits.mayTry(["bob", "1.2.3.4"], most: 10, now: 10_000))
        #expect(limits.mayTry(["bob", "5.6.7.8"], most: 10, now: 10_000))
        #expect(!limits.mayTry(["anna"], most: 10, now: 599_999))
        #expect(limits.mayTry(["anna"], most: 10, now: 600_000))
        limits.count(["anna"], now: 600_000)
        #expect(!limits.mayTry(["anna"], most: 10, now: 600_000))
    }

    @Test func `very many keys take no more room`() {
        var limits = AttemptLimits(capacity: 100)
        for _ in 0..<10 { limits.count(["anna"], now: 1000) }
        for key in 0..<110 { limits.count(["\(key)"], now: Int64(key)) }
        // More than there is room for: the quiet half is forgotten, and who tried last is not.
        #expect(!limits.mayTry(["anna"], most: 10, now: 1000))
    }
}
