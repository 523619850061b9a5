/// What `body` gives; nil where that takes longer than `limit`. Whichever comes second is cancelled, and waited for.
///
/// - Throws: what `body` throws; `CancellationError` where the caller is cancelled meanwhile, unless `body` gives something then.
package func withTimeout<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}
