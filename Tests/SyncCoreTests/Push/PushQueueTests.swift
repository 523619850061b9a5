import SyncModel
import TestSupport
import Testing

@testable import SyncCore

struct PushQueueTests {
    private static func id(_ number: Int) -> RecordID { RecordID(high: 7, low: UInt64(number)) }

    @Test(arguments: [3, 40, 30_000])
    func `each comes once, in the order in which it was first appended`(kinds: Int) {
        var random = SeededRandom(UInt64(kinds))
        var queue = PushQueue()
        var (expected, head): ([RecordID], Int) = ([], 0)
        var waiting: Set<RecordID> = []
        for round in 0..<200_000 {
            // First it becomes long, then short, again and again.
            let grows = round / 40_000 % 2 == 0
            if random.chance(grows ? 70 : 30) {
                let id = PushQueueTests.id(random.below(kinds))
                queue.append(id)
                if waiting.insert(id).inserted { expected.append(id) }
            } else {
                let first = head < expected.count ? expected[head] : nil
                guard queue.popFirst() == first else {
                    Issue.record("not in its turn in round \(round)")
                    return
                }
                if let first {
                    waiting.remove(first)
                    head += 1
                }
            }
            if queue.isEmpty != waiting.isEmpty { Issue.record("emptiness in round \(round)") }
        }
    }

    @Test func `what was taken can be appended again`() {
        var queue = PushQueue()
        for round in 0..<3 {
            for number in 0..<10_000 { queue.append(PushQueueTests.id(number + round)) }
            for number in 0..<10_000 { #expect(queue.popFirst() == PushQueueTests.id(number + round)) }
            #expect(queue.popFirst() == nil && queue.isEmpty)
        }
    }
}
