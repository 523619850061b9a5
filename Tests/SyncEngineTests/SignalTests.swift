import TestSupport
import Testing

@testable import SyncEngine

@Suite(.inTurn, .timeLimit(.minutes(1))) struct SignalTests {
    private let signal = Signal()

    @Test func `a notification while nobody waits ends the next wait`() async {
        signal.notify()
        signal.notify()
        await signal.wait(for: nil)
    }

    @Test func `a notification ends one later wait and no more`() async {
        signal.notify()
        await signal.wait(for: nil)
        let elapsed = await ContinuousClock().measure { await signal.wait(for: .milliseconds(20)) }
        #expect(elapsed >= .milliseconds(20))
    }

    @Test func `a notification ends the waits of all`() async {
        await withDiscardingTaskGroup { group in
            let (started, start) = AsyncStream<Void>.makeStream()
            for _ in 0..<3 {
                group.addTask {
                    start.yield()
                    await signal.wait(for: nil)
                    start.yield()
                }
            }
            var events = 0
            for await _ in started {
                events += 1
                if events >= 3 { signal.notify() }
                if events == 6 { break }
            }
        }
    }

    @Test func `a wait that is cancelled ends`() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await signal.wait(for: nil) }
            group.cancelAll()
        }
    }

    @Test func `a wait that was given up takes no notification`() async {
        await signal.wait(for: .zero)
        signal.notify()
        await signal.wait(for: nil)
    }
}
