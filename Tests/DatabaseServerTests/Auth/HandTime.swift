import Synchronization

@testable import DatabaseServer

/// A time of day that only the test moves.
final class HandTime: Sendable {
    private struct State {
        var now: Int64
        var waiting: [(end: Int64, wake: AsyncStream<Void>.Continuation)] = []
    }

    /// The time that somebody waits for, each time that somebody begins to wait.
    let waits: AsyncStream<Int64>
    private let begun: AsyncStream<Int64>.Continuation
    private let state: Mutex<State>

    /// - Parameter now: milliseconds since 1970.
    init(now: Int64) {
        state = Mutex(State(now: now))
        (waits, begun) = AsyncStream.makeStream()
    }

    var wallTime: WallTime {
        WallTime(now: { self.state.withLock { $0.now } }, wait: { try await self.wait($0) })
    }

    func move(to now: Int64) {
        let due = state.withLock { state in
            state.now = now
            defer { state.waiting.removeAll { $0.end <= now } }
            return state.waiting.filter { $0.end <= now }
        }
        for waiting in due { waiting.wake.finish() }
    }

    private func wait(_ end: Int64) async throws {
        let (sleep, wake) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            if state.now >= end { wake.finish() } else { state.waiting.append((end, wake)) }
        }
        begun.yield(end)
        for await _ in sleep {}
        try Task.checkCancellation()
    }
}
