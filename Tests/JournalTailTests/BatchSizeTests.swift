import Synchronization
import TestSupport
import Testing

@testable import JournalTail

struct BatchSizeTests {
    @Test func `a batch has no more lines than it may have when it is read`() throws {
        let folder = try TemporaryFolder()
        Files.write(String(repeating: "{\"id\":1}\n", count: 10), to: folder("journal.jsonl"))
        let most = Mutex(3)
        var follower = JournalFollower(
            path: folder("journal.jsonl"), resumingAt: .init(nil), pace: CheckPace(),
            mostLines: { most.withLock { $0 } })
        var counts: [Int] = []
        while let event = follower.next() {
            guard case .batch(let batch) = event else { continue }
            counts.append(batch.elements.count)
            most.withLock { $0 = 5 }
        }
        #expect(counts == [3, 5, 2])
    }
}
