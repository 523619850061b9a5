internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    /// The answer to reading one record.
    struct ReadAnswer: Sendable {
        var entry: SeenEntry
        /// What the tombstone's key held, read after an absence.
        var tombstone: KnownTombstone?
        var counted = false
    }

    /// What was answered of many reads, and the failure of one that was not.
    private struct Answered {
        var answers: [ReadAnswer] = []
        var failure: (any Error)?

        mutating func note(_ result: Result<ReadAnswer, any Error>) {
            switch result {
            case .success(let answer): answers.append(answer)
            case .failure(let error): failure = error
            }
        }
    }

    /// Reads what hints point at, and merges the answers. A hint ends only with an answered read.
    func read(_ hints: [(id: RecordID, hint: CollectionWork.Hint)]) async {
        do {
            let answered =
                hints.count > CollectionWork.maxReading
                ? try await readPage(hints) : await readSingly(hints)
            try await merge(answered.answers)
            let ids = Set(answered.answers.compactMap(\.entry.id))
            for (id, hint) in hints where ids.contains(id) {
                if let key = hint.secondKey { try await absorb(id, key: key) }
            }
            again(hints.filter { !ids.contains($0.id) })
            await land(hints.map(\.id))
            if let failure = answered.failure { return failed(failure) }
            succeeded(writing: false)
            try await afterReading()
        } catch {
            again(hints)
            await land(hints.map(\.id))
            failed(error)
        }
    }

    /// Merges the second node of a UUID, and removes it where it is still the same.
    private func absorb(_ id: RecordID, key: String) async throws {
        let entry = reader.read(try await context.remote.read(key, in: .records(self.id)))
        if case .unreadable(let defect) = entry.sight {
            return try await context.commit { try self.quarantine(entry, defect, $0) }
        }
        guard case .record(let reading) = entry.sight, reading != .absent, let etag = entry.etag else { return }
        try await context.commit { [self] transaction in
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = stored.state.absorbed(reading, clock: &transaction.clock, wall: context.wall())
            try keeper(transaction).keep(stored, outcome, origin: .remote)
        }
        let outcome = try await context.remote.remove(key, in: .records(self.id), ifMatches: etag)
        if case .conflict = outcome { work.withLock { $0.hint(id, .init(secondKey: key)) } }
    }

    private func again(_ hints: [(id: RecordID, hint: CollectionWork.Hint)]) {
        work.withLock { work in
            for (id, hint) in hints { work.hint(id, hint) }
        }
    }

    /// When the last hint is answered, the pull is complete.
    private func afterReading() async throws {
        guard work.withLock({ $0.mayPush && $0.hints.isEmpty }) else { return }
        try await retryUnknownRecords()
        for keyspace in keyspaces { try await saveCursor(of: keyspace) }
    }

    private func readSingly(_ hints: [(id: RecordID, hint: CollectionWork.Hint)]) async -> Answered {
        await inWindow(hints) { id, hint in try await self.readOne(id, key: hint.oddKey) }
    }

    /// Asks for many records, eight at a time.
    private func inWindow(
        _ hints: [(id: RecordID, hint: CollectionWork.Hint)],
        _ ask: @escaping @Sendable (RecordID, CollectionWork.Hint) async throws -> ReadAnswer
    ) async -> Answered {
        await withTaskGroup(of: Result<ReadAnswer, any Error>.self) { group in
            var answered = Answered()
            for (index, (id, hint)) in hints.enumerated() {
                if index >= 8, let result = await group.next() { answered.note(result) }
                group.addTask {
                    await Result {
                        var answer = try await ask(id, hint)
                        answer.counted = hint.counted
                        return answer
                    }
                }
            }
            for await result in group { answered.note(result) }
            return answered
        }
    }

    /// Reads one record with its ETag; where it is gone, its tombstone after it.
    func readOne(_ id: RecordID, key: String?) async throws -> ReadAnswer {
        let entry = try await context.remote.read(key ?? id.description, in: .records(self.id))
        return try await explained(reader.read(entry), id)
    }

    /// Adds the tombstone to an absence.
    func explained(_ entry: SeenEntry, _ id: RecordID) async throws -> ReadAnswer {
        guard entry.isAbsent, context.remote.keepsTombstones else { return ReadAnswer(entry: entry) }
        let found = reader.read(try await context.remote.read(id.description, in: .tombstones(self.id)))
        guard case .tombstone(let tombstone) = found.sight else { return ReadAnswer(entry: entry) }
        return ReadAnswer(entry: entry, tombstone: tombstone)
    }

    /// Reads many at once by a range of keys. Answers only what the range certainly covers.
    private func readPage(_ hints: [(id: RecordID, hint: CollectionWork.Hint)]) async throws -> Answered {
        let limit = 2 * CollectionWork.maxBatch
        let keys = hints.map { $0.hint.oddKey ?? $0.id.description }.sorted()
        guard let first = keys.first, let last = keys.last else { return Answered() }
        let page = try await context.remote.readRange(from: first, through: last, limit: limit, in: .records(id))
        let shown = Dictionary(page.map { ($0.key, $0) }) { first, _ in first }
        let covered = page.count < limit ? last : page.map(\.key).max() ?? first
        var answers: [ReadAnswer] = []
        var gone: [(id: RecordID, hint: CollectionWork.Hint)] = []
        for hint in hints {
            let key = hint.hint.oddKey ?? hint.id.description
            if let entry = shown[key] {
                answers.append(ReadAnswer(entry: reader.read(entry), counted: hint.hint.counted))
            } else if key <= covered {
                gone.append(hint)
            }
        }
        var answered = await explainedSingly(gone)
        answered.answers += answers
        return answered
    }

    /// Adds their tombstones to absences that a page has shown.
    private func explainedSingly(_ gone: [(id: RecordID, hint: CollectionWork.Hint)]) async -> Answered {
        await inWindow(gone) { id, hint in
            let key = hint.oddKey ?? id.description
            return try await self.explained(SeenEntry(id: id, key: key, sight: .record(.absent)), id)
        }
    }

    /// Merges answers, all in one transaction.
    func merge(_ answers: [ReadAnswer]) async throws {
        guard !answers.isEmpty else { return }
        let time = context.time
        let hasQuarantined = self.hasQuarantined
        let defects = try await context.commit { transaction in
            var defects: [(key: String, defect: Defect)] = []
            let answers = try self.withoutMassDelete(answers, transaction)
            for answer in answers {
                if let defect = try self.merge(answer, transaction, time, hasQuarantined) {
                    defects.append((answer.entry.key, defect))
                }
            }
            return defects
        }
        for defect in defects { log(defect.key, defect.defect) }
    }

    private func merge(
        _ answer: ReadAnswer, _ transaction: Transaction, _ time: StampPolicy, _ hasQuarantined: Bool
    ) throws -> Defect? {
        guard let id = answer.entry.id else { return nil }
        switch answer.entry.sight {
        case .tombstone: return nil
        case .unreadable(let defect):
            try block(answer.entry, defect, transaction)
            return defect
        case .record(let reading):
            if case .stamped(_, let stamp) = reading, time.isFuture(stamp.physical) {
                return try quarantine(future: stamp, answer.entry, transaction)
            }
            if hasQuarantined { try releaseUnreadable(answer.entry, transaction) }
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = stored.state.read(
                reading, etag: answer.entry.etag, key: answer.entry.oddKey, tombstone: answer.tombstone,
                clock: &transaction.clock, wall: time.wall)
            try keeper(transaction).keep(stored, outcome, origin: .remote)
            return nil
        }
    }

    /// The answers without the disappearances that are too many at once; those are held.
    private func withoutMassDelete(_ answers: [ReadAnswer], _ transaction: Transaction) throws -> [ReadAnswer] {
        var gone: Set<RecordID> = []
        for answer in answers where answer.entry.isAbsent && !answer.counted {
            guard let id = answer.entry.id else { continue }
            var state = try transaction.record(RecordKey(self.id, id)).state
            if let tombstone = answer.tombstone { state.tombstone = tombstone }
            if state.wouldBeDeletedWithoutTombstone { gone.insert(id) }
        }
        guard !gone.isEmpty, !deletes.admits(gone.count, id, .pull, now: context.wall()) else { return answers }
        try holdDeletes(of: gone, transaction)
        return answers.filter { !gone.contains($0.entry.id ?? RecordID(high: 0, low: 0)) }
    }
}
