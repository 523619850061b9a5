import Synchronization

/// Time that passes when somebody sleeps, or when the test says so.
final class DeskTime: Sendable {
    private struct State: Sendable {
        var now: UInt64 = 1_000
        var isByHand = false
        var sleepers: [(until: UInt64, waiting: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())

    var now: UInt64 { state.withLock { $0.now } }

    /// From now on a sleep lasts until ``pass(_:)`` ends it.
    func takeInHand() { state.withLock { $0.isByHand = true } }

    /// Lets milliseconds pass.
    func pass(_ milliseconds: UInt64) {
        let woken = state.withLock { state in
            state.now += milliseconds
            let woken = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return woken
        }
        for sleeper in woken { sleeper.waiting.finish() }
    }

    func sleep(until moment: UInt64) async {
        let (wakes, waiting) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            guard state.isByHand, moment > state.now else {
                state.now = max(state.now, moment)
                return waiting.finish()
            }
            state.sleepers.append((moment, waiting))
        }
        for await _ in wakes {}
    }
}
