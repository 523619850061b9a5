import TestSupport

/// Asks again and again until there is an answer, every few milliseconds.
///
/// - Throws: ``TooLate`` with `what` and the last answer's `detail` once `limit` has passed.
func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(25), detail: () async -> String = { "" },
    _ ask: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        if let value = try await ask() { return value }
        guard ContinuousClock.now < deadline else {
            throw TooLate("not within \(limit): \(what) \(await detail())")
        }
        // A program from outside has no event to wait for: it is asked, at a pace that leaves it room to work.
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// ``eventually(_:within:detail:_:)`` for a condition.
func eventually(
    _ what: String, within limit: Duration = .seconds(25), detail: () async -> String = { "" },
    isTrue condition: () async throws -> Bool
) async throws {
    try await eventually(what, within: limit, detail: detail) { try await condition() ? () : nil }
}
