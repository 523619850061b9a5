internal import DatabaseTree
internal import FirebaseWire
internal import SecurityRules
internal import Synchronization

extension CommitQueue {
    /// So often a write is judged anew whose judgement does not hold any more, before the writer does it.
    private static let trials = 8

    /// Applies a write that rules take long to judge, as ``commit(_:)`` does. They are asked here, of what can be read at
    /// this moment, and the writer looks only whether that still holds.
    func commitJudged(_ write: Write) async throws -> WriteOutcome {
        for _ in 0..<CommitQueue.trials {
            let seen = recent.withLock { $0.beginJudging() }
            defer { recent.withLock { $0.endJudging() } }
            guard let judgement = try await WorkerPool.run({ [self] in judge(write, seen) }) else {
                return .refused(.permissionDenied)
            }
            var judged = write
            judged.judgement = judgement
            let outcome = try await commit(judged)
            if case .stale = outcome, write.condition == nil { continue }
            return outcome
        }
        return try await commit(write)
    }

    /// Whether the rules would let `write` happen now.
    func wouldAllow(_ write: Write) async throws -> Bool {
        guard case .client = write.principal, rulesStore.rules(write.database) != nil else { return true }
        return try await WorkerPool.run { [self] in judge(write, 0) != nil }
    }

    /// Nil where the rules refuse.
    private func judge(_ write: Write, _ seen: Int) -> Judgement? {
        let (before, now) = (root(write.database), wallClock())
        let trace = ReadTrace()
        let judgement = Judgement(seen: seen, version: rulesStore.version(write.database), trace: trace)
        guard let check = ruleCheck(write, now, before, trace) else { return judgement }
        var (after, rows) = (before, RowChanges.trial)
        after.forgetIndexes()
        after.hasPriorities = after.hasPriorities || write.hasPriorities
        for entry in write.entries {
            let path = write.base.appending(entry.path)
            _ = after.set(path, to: resolved(entry.value, at: path, now, after), &rows)
        }
        let isAllowed = check.allowsWriting(
            write.entries.map { write.base.appending($0.path.node) }, after: after)
        return isAllowed ? judgement : nil
    }

    /// Whether what was judged before holds for the moment of writing.
    func confirm(_ judgement: Judgement, _ database: String) -> Bool {
        judgement.version == rulesStore.version(database) && recent.withLock { $0.confirm(judgement, database) }
    }
}
