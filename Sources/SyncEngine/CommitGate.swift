internal import Synchronization

/// Transactions pass it, with what is told of them; whoever closes it works between two of them.
final class CommitGate: Sendable {
    private struct State: Sendable {
        var passing = 0
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var closer: CheckedContinuation<Void, Never>?

        /// False where somebody else has closed it.
        mutating func claim() -> Bool {
            defer { isClosed = true }
            return !isClosed
        }
    }

    private let state = Mutex(State())

    /// Returns when the gate is open; ``leave()`` must follow.
    func enter() async {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.passing += 1 }
            return !state.isClosed
        }
        if isOpen { return }
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.isClosed { state.waiting.append(continuation) } else { state.passing += 1 }
                return !state.isClosed
            }
            if isOpen { continuation.resume() }
        }
    }

    func leave() {
        let closer = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.passing -= 1
            guard state.passing == 0 else { return nil }
            defer { state.closer = nil }
            return state.closer
        }
        closer?.resume()
    }

    /// Closes the gate, and returns when nobody is within; ``open()`` must follow. Who comes second waits until it is open again.
    func close() async {
        while !state.withLock({ $0.claim() }) {
            await enter()
            leave()
        }
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.passing > 0 { state.closer = continuation }
                return state.passing == 0
            }
            if isEmpty { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isClosed = false
            state.passing += state.waiting.count
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
