import SyncEngine
import Synchronization
import TestSupport

/// A clock that goes only when a test moves it.
final class HandClock: Sendable {
    private struct State {
        var now: UInt64 = 1_000
        var sleepers: [Int: (until: UInt64, continuation: AsyncStream<Void>.Continuation)] = [:]
        var next = 0
    }

    /// Rings when someone goes to sleep.
    let bell = Bell()
    private let state = Mutex(State())
    private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    var clock: EngineClock {
        EngineClock(
            wall: {
                self.interrupt()
                return self.wall
            }, monotonic: { self.now },
            sleep: { until in for await _ in self.sleep(until: until) {} })
    }

    /// The next time that the engine asks for the time, it waits for the end of `body`.
    func whenAskedNext(_ body: @escaping @Sendable () -> Void) { interruption.withLock { $0 = body } }

    private func interrupt() {
        let body = interruption.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }

    /// Milliseconds since 1970.
    var wall: UInt64 { 1_800_000_000_000 + now }

    private var now: UInt64 { state.withLock { $0.now } }

    private func sleep(until moment: UInt64) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let isOver = state.withLock { state in
            state.next += 1
            if state.now >= moment { return true }
            state.sleepers[state.next] = (moment, continuation)
            return false
        }
        if isOver { continuation.finish() }
        bell.ring()
        return stream
    }

    /// How many sleep until this many milliseconds from now.
    func sleepers(for milliseconds: UInt64) -> Int {
        state.withLock { state in state.sleepers.values.count { $0.until == state.now + milliseconds } }
    }

    /// Moves the clock, and wakes those whose time has come.
    func advance(_ milliseconds: UInt64) {
        let due = state.withLock { state in
            state.now += milliseconds
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.finish() }
    }
}
