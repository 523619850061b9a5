import FirebaseWire
import TestSupport
import Testing

@testable import DatabaseTree

struct PushIDTests {
    @Test func `ids strictly increase, within a millisecond and when the clock goes back`() {
        var generator = PushID()
        var random = SeededRandom(1)
        let times: [UInt64] = [
            1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_001, 1_600_000_000_000, 1_700_000_000_002,
        ]
        let ids = times.map { generator.next(now: $0, using: &random) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ids.allSatisfy { $0.text.utf8.count == 20 })
    }
}
