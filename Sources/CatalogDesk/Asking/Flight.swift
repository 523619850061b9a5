internal import PluginKit
internal import Synchronization

/// One request under way, and all who wait for it; it is given up when the last of them goes away.
final class Flight: Sendable {
    typealias Outcome = Result<Answered, CatalogError>

    private struct State: Sendable {
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var next = 0
        var outcome: Outcome?
    }

    private let state = Mutex(State())
    private let (abandoned, abandon) = AsyncStream<Void>.makeStream()

    /// How many wait for the outcome.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private static let cancelled = Outcome.failure(CatalogError(.cancelled, "nobody waits for it"))

    /// Waits for the outcome; a task that is cancelled does not wait on.
    func outcome() async -> Outcome {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Outcome? in
                    if let outcome = state.outcome { return outcome }
                    if Task.isCancelled { return Flight.cancelled }
                    state.waiting[number] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let (one, isLast) = state.withLock { ($0.waiting.removeValue(forKey: number), $0.waiting.isEmpty) }
            one?.resume(returning: Flight.cancelled)
            if one != nil, isLast { abandon.finish() }
        }
    }

    /// Carries the request out, and ends it where nobody waits any more.
    func carryOut(_ ask: @escaping @Sendable () async -> Outcome) async {
        let outcome = await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await ask() }
            group.addTask {
                for await _ in self.abandoned {}
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? Flight.cancelled
        }
        land(outcome)
    }

    /// Tells all who wait.
    func land(_ outcome: Outcome) {
        let waiting = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}
