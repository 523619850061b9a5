internal import Synchronization

/// Lets all who come wait until something has happened, once and for good.
final class Latch: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock(\.isOpen) }

    /// Lets everybody through, from now on.
    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.isOpen = true
            return state.waiting.values
        }
        for caller in waiting { caller.resume() }
    }

    /// Returns once it is open. Throws `CancellationError` where the task is cancelled before.
    func wait() async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                let isOpen = state.withLock { state -> Bool? in
                    // Looked at here, so that a cancellation is not missed that came before there was a caller to end.
                    guard !Task.isCancelled, !state.isOpen else { return state.isOpen }
                    state.waiting[number] = caller
                    return nil
                }
                switch isOpen {
                case true?: caller.resume()
                case false?: caller.resume(throwing: CancellationError())
                case nil: break
                }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}
