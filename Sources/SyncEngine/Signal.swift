internal import Synchronization

/// Waits that can be cut short: for a time, or until somebody notifies.
///
/// A notification while nobody waits ends the next wait at once, so that none is missed. By hand, because a sequence of
/// swift-async-algorithms ends for good when a wait on it is given up after a time.
final class Signal: Sendable {
    private struct State: Sendable {
        var next = 0
        var notified = false
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Ends all waits.
    func notify() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.notified = state.waiting.isEmpty
            return state.waiting
        }
        for continuation in waiting.values { continuation.finish() }
    }

    /// Waits for `duration`, until the next notification, or until the task is cancelled; nil waits without a limit.
    func wait(for duration: Duration?) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let number: Int? = state.withLock { state in
            if state.notified {
                state.notified = false
                return nil
            }
            state.next += 1
            state.waiting[state.next] = continuation
            return state.next
        }
        guard let number else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stream {} }
            if let duration { group.addTask { try? await Task.sleep(for: duration) } }
            await group.next()
            group.cancelAll()
        }
        state.withLock { $0.waiting[number] = nil }
        continuation.finish()
    }
}
