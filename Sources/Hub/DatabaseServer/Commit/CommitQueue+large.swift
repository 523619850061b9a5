internal import DatabaseTree
internal import FirebaseWire
internal import SecurityRules
internal import Synchronization

extension CommitQueue {
    /// So many rows, or bytes of them, are staged together, which takes the writer some milliseconds.
    private static let stagedRows = 256
    private static let stagedBytes = 256 * 1024
    /// So often a write is made ready anew that others have come too close to, before the writer does all of it.
    private static let trials = 5
    /// So often it follows the others before its turn: each time takes less than the one before.
    private static let rounds = 3

    private enum Prepared: Sendable {
        case refused(Refusal)
        /// The writer finds out quickly that it is not done.
        case idle
        case ready(LargeWrite, [RowChange])
    }

    /// Applies a write that takes long, as ``commit(_:)`` does, and holds others up for some milliseconds at a time.
    ///
    /// It is judged, put into a tree and stored beside the writer, as rows that nobody reads; at its turn these become
    /// good at once. See ``Draft`` for what others write meanwhile.
    ///
    /// - Parameter bytes: its size, by what it brings and what it removes.
    func commitLarge(_ write: Write, bytes: Int) async throws -> WriteOutcome {
        await turn.enter()
        defer { turn.leave() }
        var write = write
        for trial in 0..<CommitQueue.trials {
            let (seen, before) = recent.withLock { ($0.beginJudging(), root(write.database)) }
            defer { recent.withLock { $0.endJudging() } }
            let began = ContinuousClock.now
            let allowance = pace.withLock { $0.allowance(bytes, trial: trial) }
            let now = wallClock() + (write.hasTimestamps ? allowance : 0)
            switch try await WorkerPool.run({ [self, write] in prepare(write, on: before, seen, now) }) {
            case .refused(let refusal): return .refused(refusal)
            case .idle: return try await commit(write)
            case .ready(let large, let rows):
                if let outcome = try await store(large, rows, bytes, since: began) { return outcome }
            }
            if write.condition != nil { return .stale }
            write.judgement = nil
        }
        return try await commitJudged(write)
    }

    /// - Parameter seen: how many recent writes `before` has.
    private func prepare(_ write: Write, on before: Root, _ seen: Int, _ now: Int64) -> Prepared {
        if let condition = write.condition, condition.holds(for: before.value(at: write.base)) != true { return .idle }
        // What rules have said of it already counts as long as that is followed from then on.
        let judgement =
            write.judgement
            ?? Judgement(seen: seen, version: rulesStore.version(write.database), trace: ReadTrace())
        let check =
            write.judgement == nil
            ? ruleCheck(write.principal, write.database, now, before, judgement.trace) : nil
        let paths = write.entries.map { write.base.appending($0.path) }
        let values = zip(write.entries, paths).map { resolved($0.value, at: $1, now, before) }
        var draft = Draft(
            Array(zip(paths, values)), hasPriorities: write.hasPriorities, isRelative: write.addsToWhatIsThere,
            on: before, numbers: numbers)
        let nodes = write.hasPriorities ? paths.map(\.node) : paths
        if let check, !check.allowsWriting(nodes, after: draft.after) { return .refused(.permissionDenied) }
        let rows = draft.takenRows()
        let large = LargeWrite(
            write: write, time: write.hasTimestamps ? now : nil, values: values, paths: nodes,
            number: numbers.take(1).lowerBound, judgement: judgement, followed: seen, draft: draft)
        return .ready(large, rows)
    }

    /// Nil where the write must be made ready anew.
    private func store(
        _ ready: LargeWrite, _ rows: [RowChange], _ bytes: Int, since began: ContinuousClock.Instant
    ) async throws -> WriteOutcome? {
        guard !rows.isEmpty else { return .stored(values: ready.values) }
        var large = ready
        // Finished or not, it has left something in the file by then.
        defer { maintenance.sweep(ready.number) }
        do {
            try await stage(rows, of: large)
            for _ in 0..<CommitQueue.rounds {
                guard let next = try await WorkerPool.run({ [self, large] in following(large) }) else { return nil }
                large = next
                try await stage(large.draft.takenRows(), of: large)
            }
            let duration = ContinuousClock.now - began
            if large.time != nil { pace.withLock { $0.note(bytes, duration) } }
            return try await finish(large)
        } catch {
            throw failure(of: 1, error)
        }
    }

    private func stage(_ rows: [RowChange], of large: LargeWrite) async throws {
        let (number, own) = (large.number, large.draft.rows.own)
        for part in CommitQueue.parts(rows) {
            try await betweenCommits { [file] in Result { try file.stage(part, of: number, own) } }.get()
            await whileStaging()
        }
    }

    private static func parts(_ rows: [RowChange]) -> [ArraySlice<RowChange>] {
        var (parts, start, bytes) = ([ArraySlice<RowChange>](), 0, 0)
        for (index, row) in rows.enumerated() {
            if case .put(_, _, _, let text) = row { bytes += text.count }
            guard index + 1 - start >= stagedRows || bytes >= stagedBytes || index + 1 == rows.count else { continue }
            parts.append(rows[start...index])
            (start, bytes) = (index + 1, 0)
        }
        return parts
    }

    private func following(_ large: LargeWrite) -> LargeWrite? {
        var large = large
        let database = large.write.database
        let (judged, written, count, now) = recent.withLock { recent in
            (
                recent.written(since: large.judgement.seen, in: database),
                recent.written(since: large.followed, in: database), recent.published, root(database)
            )
        }
        guard let judged, let written, large.holds(after: judged, version: rulesStore.version(database)) else {
            return nil
        }
        return large.follow(written, seen: count, to: now) ? large : nil
    }

    private func finish(_ large: LargeWrite) async throws -> WriteOutcome? {
        let (outcome, before) = try await withCheckedThrowingContinuation { answer in
            when(
                DueWork(time: large.time ?? 0, now: wallClock()) { [self] in
                    answer.resume(with: Result { try finishNow(large) })
                })
        }
        // What the write has replaced is given back here, not by the writer.
        return try await WorkerPool.run { withExtendedLifetime(before) { outcome } }
    }

    /// To be called between two commits.
    private func finishNow(_ ready: LargeWrite) throws -> (WriteOutcome?, before: Root?) {
        if let time = ready.time, lastTime.load(ordering: .relaxed) > time || time > wallClock() { return (nil, nil) }
        guard var large = following(ready) else { return (nil, nil) }
        let database = large.write.database
        let before = root(database)
        let rows = large.draft.takenRows()
        try file.finish(large.number, with: rows, large.draft.rows.own, at: large.time ?? wallClock())
        noteStored()
        if let time = large.time { lastTime.store(time, ordering: .relaxed) }
        maintenance.committed(large.paths.count)
        recent.withLock { recent in
            published.withLock { $0[database] = large.draft.after }
            recent.append(large.paths, database)
            recent.publish()
        }
        lookForIndexes(in: database)
        guard listeners.listen(to: database) else { return (.stored(values: large.values), before) }
        tell([CommittedChange(large.write, large.values, before: before, after: large.draft.after)], isLarge: true)
        return (.stored(values: large.values), before)
    }
}
