import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import DatabaseServer

struct WriteClockTests {
    static let rows: [(shown: [Int64], told: [Int64])] = [
        ([1000, 1001, 1001, 5000], [1000, 1001, 1001, 5000]),
        ([200_000, 170_000, 199_999, 200_001], [200_000, 200_000, 200_000, 200_001]),
        ([200_000, 79_999, 80_000, 79_000], [200_000, 79_999, 80_000, 80_000]),
    ]

    @Test(arguments: rows)
    func `a clock that is set back a little stands still, and one that was far ahead is right again`(
        shown: [Int64], told: [Int64]
    ) {
        let rest = Mutex(shown)
        let clock = WriteClock { rest.withLock { $0.removeFirst() } }
        #expect(shown.map { _ in clock.now() } == told)
    }

    static let restarts: [(shown: Int64, told: Int64)] = [
        (950_000, 1_000_000), (1_000_001, 1_000_001), (879_999, 879_999),
    ]

    @Test(arguments: restarts)
    func `a server that was ended goes on after the time of its last write`(shown: Int64, told: Int64) async throws {
        let folder = try TemporaryFolder()
        let first = try await LooseQueue(folder.path, clock: { 1_000_000 })
        try await first.put("/a", #"{".sv":"timestamp"}"#)
        try await first.close()
        let second = try await LooseQueue(folder.path, clock: { shown })
        try await second.put("/b", #"{".sv":"timestamp"}"#)
        #expect(try second.value("/b") == .integer(told))
        try await second.close()
    }
}
