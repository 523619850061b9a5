internal import DatabaseTree
internal import FirebaseWire

/// What becomes of a stream's right to read.
extension Responder {
    /// Takes a snapshot and adds the listener between two commits, so that it misses nothing; or refuses, where other
    /// rules have come into force since they were asked.
    func open(
        _ listener: Listener, _ subscription: Subscription, in database: String
    ) async -> Result<TakeOnce<Root>, Refusal> {
        await commits.betweenCommits { [commits, listeners, rulesStore, time = options.time] in
            let root = commits.root(database)
            if let rules = rulesStore.rules(database),
                !listener.principal.mayRead(subscription, of: root, by: rules, now: time.now())
            {
                return .failure(.permissionDenied)
            }
            // There is time to take the root only: its snapshot may be large, or a query over all of it. The stream must
            // not keep it alive either.
            listeners.add(listener, to: subscription, of: root)
            return .success(TakeOnce(root))
        }
    }

    /// Ends the stream when its credential does. The text is the one that clients look for.
    func revoke(_ listener: Listener, at end: Int64) async throws {
        try await options.time.wait(end)
        listener.finish(EventFrame.notice(.authRevoked, "credential is no longer valid"))
    }
}
