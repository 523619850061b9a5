internal import RTDBWire

/// What becomes of a stream's right to read.
extension Responder {
    /// Takes a snapshot and adds the listener between two commits, so that it misses nothing; or refuses, where other
    /// rules have come into force since they were asked.
    func open(
        _ listener: Listener, _ interest: Interest, in database: String
    ) async -> Result<(snapshot: Node?, form: NodeText.Form), WireRefusal> {
        await commits.betweenCommits { [commits, listeners, ruleBook, time = options.time] in
            let root = commits.root(database)
            if let rules = ruleBook.rules(database),
                !listener.authority.mayRead(interest, of: root, by: rules, now: time.now())
            {
                return .failure(.permissionDenied)
            }
            let snapshot = interest.snapshot(of: root)
            listeners.add(listener, to: interest, snapshot: snapshot, in: database)
            return .success((snapshot, root.form(isExport: interest.isExport)))
        }
    }

    /// Ends the stream when its credential does. The text is the one that clients look for.
    func revoke(_ listener: Listener, at end: Int64) async throws {
        try await options.time.wait(end)
        listener.finish(EventFrame.notice(.authRevoked, "credential is no longer valid"))
    }
}
