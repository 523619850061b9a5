/// Runs `body`, and cancels it where it has not returned within `limit`.
///
/// - Parameter detail: what the failure says beyond `what`; asked for when the time is over.
/// - Throws: ``TooLate`` when the time is over, else what `body` throws.
package func within<Value: Sendable>(
    _ limit: Duration, _ what: String, detail: @escaping @Sendable () async -> String = { "" },
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TooLate("not within \(limit): \(what) \(await detail())")
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
