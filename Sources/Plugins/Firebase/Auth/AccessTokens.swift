/// Keeps a valid access token at hand; at most one request for a new one is under way, which all callers share.
actor AccessTokens {
    /// After a failed renewal an older token that is still valid is used for this long before the next attempt.
    private static let pause: Duration = .seconds(30)

    private let clock = ContinuousClock()
    private let youth: Duration
    private let fetch: @Sendable () async throws -> AccessToken
    private var current: AccessToken?
    private var underway: Task<AccessToken, any Error>?
    private var nextAttempt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - youth: a token younger than this is not renewed because of a refusal: a new one would be refused as well.
    ///   - fetch: asks the token endpoint.
    init(youth: Duration = .seconds(60), fetch: @escaping @Sendable () async throws -> AccessToken) {
        self.youth = youth
        self.fetch = fetch
    }

    /// A token that is valid now.
    func token() async throws -> AccessToken {
        let now = clock.now
        guard let current, now < current.expires else { return try await renewed() }
        if now < current.renewal { return current }
        if let nextAttempt, now < nextAttempt { return current }
        do {
            return try await renewed()
        } catch  where clock.now < current.expires && !(error is CancellationError) {
            nextAttempt = clock.now + Self.pause
            return current
        }
    }

    /// A token for another attempt after `refused` was not accepted; nil where there can't be a better one.
    func token(after refused: AccessToken) async throws -> AccessToken? {
        if let current, current != refused { return current }
        guard clock.now - refused.obtained >= youth else { return nil }
        return try await renewed()
    }

    /// The server said that `revoked` counts no more.
    func forget(_ revoked: AccessToken) {
        if current == revoked { current = nil }
    }

    /// Ends the request for a token that may be under way.
    func cancel() { underway?.cancel() }

    /// A caller that is cancelled ends the shared request; the others then begin another one.
    private func renewed() async throws -> AccessToken {
        while true {
            try Task.checkCancellation()
            let task = underway ?? begin()
            do {
                return try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
            } catch is CancellationError where !Task.isCancelled {
                continue
            }
        }
    }

    private func begin() -> Task<AccessToken, any Error> {
        let task = Task {
            defer { underway = nil }
            let token = try await fetch()
            current = token
            nextAttempt = nil
            return token
        }
        underway = task
        return task
    }
}
