internal import DatabaseTree
internal import FirebaseWire
internal import SecurityRules
internal import Synchronization

extension CommitQueue {
    /// So often a write is judged anew whose judgement does not hold any more, before the writer does it.
    private static let trials = 8
    /// So many places that rules look at are told apart, however short the write is.
    private static let placesTold = 100_000

    /// Applies a write that rules take long to judge, as ``commit(_:)`` does. They are asked here, of what can be read at
    /// this moment, and the writer looks only whether that still holds.
    func commitJudged(_ write: Write) async throws -> WriteOutcome {
        var judged = write
        for _ in 0..<CommitQueue.trials {
            if judged.judgement == nil {
                judged.judgement = try await WorkerPool.run { [self] in judge(write) }
                guard judged.judgement != nil else { return .refused(.permissionDenied) }
            }
            let outcome = try await commit(judged)
            guard case .stale = outcome, write.condition == nil else { return outcome }
            judged.judgement = nil
        }
        return try await commit(judged)
    }

    /// What the rules say of a write of which there is an outline alone; nil where they refuse.
    ///
    /// - Parameter principal: who sends it.
    func judge(_ outline: Outline, in database: String, by principal: Principal) async throws -> Judgement? {
        try await WorkerPool.run { [self] in
            let judging = Judging(self)
            let trace = ReadTrace(around: outline.base, limit: max(CommitQueue.placesTold, outline.text.count / 32))
            let judgement = Judgement(
                seen: judging.seen, version: rulesStore.version(database), trace: trace, judging: judging)
            let check = ruleCheck(principal, database, wallClock(), root(database), trace)
            return check?.allowsWriting(outline) ?? true ? judgement : nil
        }
    }

    /// Whether the rules would let `write` happen now.
    func wouldAllow(_ write: Write) async throws -> Bool {
        guard rulesJudge(write) else { return true }
        return try await WorkerPool.run { [self] in judge(write) != nil }
    }

    /// Whether there are rules for who sends `write`.
    func rulesJudge(_ write: Write) -> Bool {
        guard case .client = write.principal else { return false }
        return rulesStore.rules(write.database) != nil
    }

    /// Nil where the rules refuse.
    private func judge(_ write: Write) -> Judgement? {
        let judging = Judging(self)
        let (before, now) = (root(write.database), wallClock())
        let trace = ReadTrace()
        let judgement = Judgement(
            seen: judging.seen, version: rulesStore.version(write.database), trace: trace, judging: judging)
        guard let check = ruleCheck(write.principal, write.database, now, before, trace) else { return judgement }
        var (after, rows) = (before, RowChanges.trial)
        after.forgetIndexes()
        after.hasPriorities = after.hasPriorities || write.hasPriorities
        for entry in write.entries {
            let path = write.base.appending(entry.path)
            _ = after.set(path, to: resolved(entry.value, at: path, now, after), &rows)
        }
        return check.allowsWriting(Array(write.places), after: after) ? judgement : nil
    }

    /// Whether what was judged before holds for the moment of writing.
    func confirm(_ judgement: Judgement, _ database: String) -> Bool {
        judgement.version == rulesStore.version(database) && recent.withLock { $0.confirm(judgement, database) }
    }
}
