import Synchronization
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
}
