internal import Synchronization

/// Rings when something may have changed; whoever listens looks for itself.
package final class Bell: Sendable {
    private struct State: Sendable {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func ring() { for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.yield() } }

    /// Each ring from now on; those that come while nobody looks are one.
    package func rings() -> AsyncStream<Void> {
        let (rings, listener) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = listener
            return state.next
        }
        listener.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        return rings
    }
}

/// Asks at once, and again after each event, until there is an answer.
///
/// - Parameters:
///   - bells: what rings after a change that the answer may depend on.
///   - sources: each waits for events elsewhere and rings the bell it is given, until it is cancelled; it has to ring
///     once when it begins to hear.
///   - detail: what the failure says beyond `what`.
/// - Throws: ``TooLate`` where there is no answer within `limit`; what `ask` throws.
package func until<Value: Sendable>(
    _ what: String, within limit: Duration = .seconds(25), hearing bells: [Bell] = [],
    _ sources: [@Sendable (Bell) async throws -> Void] = [], detail: @escaping @Sendable () async -> String = { "" },
    ask: @escaping @Sendable () async throws -> Value?
) async throws -> Value {
    // Heard from before the first question on, so that nothing happens unheard between two.
    let heard = Bell()
    let rings = heard.rings()
    let streams = bells.map { $0.rings() }
    return try await within(limit, what, detail: detail) {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            for stream in streams { group.addTask { for await _ in stream { heard.ring() } } }
            // A source that ends has nothing more to say.
            for source in sources { group.addTask { try? await source(heard) } }
            if let value = try await ask() { return value }
            for await _ in rings { if let value = try await ask() { return value } }
            throw CancellationError()
        }
    }
}
