import SyncModel
import Testing

@testable import SyncCore

struct RewritesTests {
    private let id = MachineUnderTest.id(1)

    /// Which of so many writes, each so long after the one before, rest.
    private func resting(_ rewrites: inout Rewrites, _ count: Int, every pause: UInt64) -> [Int] {
        var resting: [Int] = []
        for number in 0..<count where rewrites.rests(id, at: UInt64(number) * pause) { resting.append(number) }
        return resting
    }

    @Test func `what is written again without end rests for a minute, and nothing else does`() {
        var rewrites = Rewrites()
        #expect(resting(&rewrites, 20, every: 1) == [])
        #expect(rewrites.due == nil)
        #expect(resting(&rewrites, 2, every: 30) == [0, 1])
        #expect(rewrites.due == 60_000)
        let other = rewrites.rests(MachineUnderTest.id(2), at: 40)
        #expect(!other)
        let (early, rested) = (rewrites.rested(at: 59_999), rewrites.rested(at: 60_000))
        #expect(early == [] && rested == [id] && rewrites.due == nil)
        let again = rewrites.rests(id, at: 60_000)
        #expect(!again)
    }

    @Test func `now and then is not without end`() {
        var rewrites = Rewrites()
        #expect(resting(&rewrites, 100, every: 6_500) == [])
    }
}
