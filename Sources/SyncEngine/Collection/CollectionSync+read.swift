internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    /// The answer to reading one record.
    struct ReadAnswer: Sendable {
        var entry: ObservedEntry
        /// What the tombstone's key held, read after an absence.
        var tombstone: KnownTombstone?
        var admitted = false
    }

    /// What was answered of many reads, and the failure of one that was not.
    private struct ReadAnswers {
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
    func read(_ hints: [(id: RecordID, hint: WorkQueue.Hint)]) async {
        do {
            let answered = try await answers(to: hints)
            try await merge(answered.answers)
            let ids = Set(answered.answers.compactMap(\.entry.id))
            for (id, hint) in hints where ids.contains(id) {
                if let key = hint.duplicateKey { try await mergeDuplicate(id, key: key) }
            }
            requeue(hints: hints.filter { !ids.contains($0.id) })
            await complete(hints.map(\.id))
            if let failure = answered.failure { return failed(failure) }
            succeeded(writing: false)
            try await afterReading()
        } catch {
            requeue(hints: hints)
            await complete(hints.map(\.id))
            failed(error)
        }
    }

    /// Merges what stands under a second key of a UUID, and removes that key where it still holds the same.
    private func mergeDuplicate(_ id: RecordID, key: String) async throws {
        let entry = reader.read(try await context.remote.read(key, in: .records(self.id)))
        if case .unreadable(let defect) = entry.value {
            return try await context.commit { try self.quarantine(entry, defect, $0) }
        }
        guard case .record(let reading) = entry.value, reading != .absent, let etag = entry.etag else { return }
        try await context.commit { [self] transaction in
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = stored.state.mergedDuplicate(reading, clock: &transaction.clock, wall: context.wall())
            try context.writer(transaction).save(stored, outcome, origin: .remote)
        }
        let outcome = try await context.remote.remove(key, in: .records(self.id), ifMatches: etag)
        if case .conflict = outcome { work.withLock { $0.hint(id, .init(duplicateKey: key)) } }
    }

    private func requeue(hints: [(id: RecordID, hint: WorkQueue.Hint)]) {
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

    private func readSingly(_ hints: [(id: RecordID, hint: WorkQueue.Hint)]) async -> ReadAnswers {
        await concurrently(hints) { id, hint in try await self.readOne(id, key: hint.nonCanonicalKey) }
    }

    /// Asks for many records, eight at a time.
    private func concurrently(
        _ hints: [(id: RecordID, hint: WorkQueue.Hint)],
        _ ask: @escaping @Sendable (RecordID, WorkQueue.Hint) async throws -> ReadAnswer
    ) async -> ReadAnswers {
        await withTaskGroup(of: Result<ReadAnswer, any Error>.self) { group in
            var answered = ReadAnswers()
            for (index, (id, hint)) in hints.enumerated() {
                if index >= 8, let result = await group.next() { answered.note(result) }
                group.addTask {
                    await Result {
                        var answer = try await ask(id, hint)
                        answer.admitted = hint.admitted
                        return answer
                    }
                }
            }
            for await result in group { answered.note(result) }
            return answered
        }
    }

    /// Reads one record with its ETag; where it is absent, its tombstone after it.
    func readOne(_ id: RecordID, key: String?) async throws -> ReadAnswer {
        let entry = try await context.remote.read(key ?? id.description, in: .records(self.id))
        return try await withTombstone(reader.read(entry), id)
    }

    /// Adds the tombstone to an absence.
    func withTombstone(_ entry: ObservedEntry, _ id: RecordID) async throws -> ReadAnswer {
        guard entry.isAbsent, context.remote.keepsTombstones else { return ReadAnswer(entry: entry) }
        let found = reader.read(try await context.remote.read(id.description, in: .tombstones(self.id)))
        guard case .tombstone(let tombstone) = found.value else { return ReadAnswer(entry: entry) }
        return ReadAnswer(entry: entry, tombstone: tombstone)
    }

    /// Reads many at once, and a few, or what does not fit into one answer, one by one.
    private func answers(to hints: [(id: RecordID, hint: WorkQueue.Hint)]) async throws -> ReadAnswers {
        guard hints.count > WorkQueue.maxSingleReads else { return await readSingly(hints) }
        do {
            return try await readPage(hints)
        } catch let error as RemoteError where error.code == .tooLarge {
            return await readSingly(hints)
        }
    }

    /// Reads many at once by a range of keys. Answers only what the range certainly covers.
    private func readPage(_ hints: [(id: RecordID, hint: WorkQueue.Hint)]) async throws -> ReadAnswers {
        let limit = 2 * WorkQueue.maxBatch
        let keys = hints.map { $0.hint.nonCanonicalKey ?? $0.id.description }.sorted()
        guard let first = keys.first, let last = keys.last else { return ReadAnswers() }
        let page = try await context.remote.readRange(from: first, through: last, limit: limit, in: .records(id))
        let shown = Dictionary(page.entries.map { ($0.key, $0) }) { first, _ in first }
        var answers: [ReadAnswer] = []
        var absent: [(id: RecordID, hint: WorkQueue.Hint)] = []
        for hint in hints {
            let key = hint.hint.nonCanonicalKey ?? hint.id.description
            if let entry = shown[key] {
                answers.append(ReadAnswer(entry: reader.read(entry), admitted: hint.hint.admitted))
            } else if page.next.map({ key < $0 }) ?? true {
                absent.append(hint)
            }
        }
        var answered = await withTombstones(absent)
        answered.answers += answers
        return answered
    }

    /// Adds their tombstones to absences that a page has shown.
    private func withTombstones(_ absent: [(id: RecordID, hint: WorkQueue.Hint)]) async -> ReadAnswers {
        await concurrently(absent) { id, hint in
            let key = hint.nonCanonicalKey ?? id.description
            return try await self.withTombstone(ObservedEntry(id: id, key: key, value: .record(.absent)), id)
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
        switch answer.entry.value {
        case .tombstone: return nil
        case .unreadable(let defect):
            try block(answer.entry, defect, transaction)
            return defect
        case .record(let reading):
            let stamps = [reading.stamp, answer.tombstone?.stamp].compactMap(\.self)
            if let stamp = stamps.first(where: { time.isFuture($0.physical) }) {
                return try quarantine(future: stamp, answer.entry, transaction)
            }
            if hasQuarantined { try releaseUnreadable(answer.entry, transaction) }
            var stored = try transaction.record(RecordKey(self.id, id))
            let outcome = stored.state.read(
                reading, etag: answer.entry.etag, key: answer.entry.nonCanonicalKey, tombstone: answer.tombstone,
                clock: &transaction.clock, wall: time.wall)
            try context.writer(transaction).save(stored, outcome, origin: .remote)
            return nil
        }
    }

    /// The answers without the disappearances that are too many at once; those are held.
    private func withoutMassDelete(_ answers: [ReadAnswer], _ transaction: Transaction) throws -> [ReadAnswer] {
        var absent: Set<RecordID> = []
        for answer in answers where answer.entry.isAbsent && !answer.admitted {
            guard let id = answer.entry.id else { continue }
            var state = try transaction.record(RecordKey(self.id, id)).state
            if let tombstone = answer.tombstone { state.tombstone = tombstone }
            if state.wouldBeDeletedWithoutTombstone { absent.insert(id) }
        }
        guard !absent.isEmpty, !deletes.admits(absent.count, id, .pull, now: context.wall()) else { return answers }
        try holdDeletes(of: absent, transaction)
        return answers.filter { $0.entry.id.map { !absent.contains($0) } ?? true }
    }
}
