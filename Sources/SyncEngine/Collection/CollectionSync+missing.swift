internal import JSONText
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    /// After a whole snapshot: what the base knows and the snapshot did not show is read, or held where it is too much.
    ///
    /// Waits for the tombstones, which tell deletes from disappearances. Until then nothing of the collection is
    /// pushed.
    func processMissing() async throws {
        let ready = !context.remote.keepsTombstones || view.withLock { $0.tombstonesLive }
        guard ready, let snapshot = view.withLock({ $0.completeSnapshot }) else { return }
        let shown = snapshot.shown
        let inFlight = work.withLock { $0.inFlight }
        let missing = try await context.commit { transaction in
            let absent = snapshot.known.subtracting(shown).subtracting(inFlight)
            return try self.missing(absent, snapshotIsEmpty: shown.isEmpty, transaction)
        }
        view.withLock { $0.completeSnapshot = nil }
        work.withLock { work in
            if !work.recordsMerged { work.emptyAtStart = shown.isEmpty && snapshot.known.isEmpty }
            work.recordsMerged = true
            for id in missing { work.hint(id, .init(admitted: true)) }
            // What was in flight may have been written before the snapshot, and be gone since: read once it is answered.
            for id in inFlight.subtracting(shown) { work.hint(id, .init()) }
        }
        noteUnconfirmed()
        scheduleWork()
    }

    /// Which of these must be read; holds those whose disappearance is too much.
    private func missing(
        _ absent: Set<RecordID>, snapshotIsEmpty: Bool, _ transaction: Transaction
    ) throws -> [RecordID] {
        var missing: [RecordID] = []
        var unexplained: [RecordID] = []
        for id in absent {
            let state = try transaction.record(RecordKey(self.id, id)).state
            guard state.remote != nil else { continue }
            if try transaction.held(state.key).contains(where: { $0.payload == nil }) { continue }
            if state.wouldBeDeletedWithoutTombstone { unexplained.append(id) } else { missing.append(id) }
        }
        guard !unexplained.isEmpty else { return missing }
        if snapshotIsEmpty {
            let hold = try EmptyRemote.raise(
                of: id, count: unexplained.count, since: context.wall(), in: transaction)
            try attach(unexplained, to: hold, transaction)
        } else if deletes.admits(unexplained.count, id, .pull, now: context.wall()) {
            missing += unexplained
        } else {
            try holdDeletes(of: Set(unexplained), transaction)
        }
        return missing
    }

    /// Attaches records to the hold `massDelete`: their disappearance is not asked for, and they are not pushed.
    func holdDeletes(of ids: Set<RecordID>, _ transaction: Transaction) throws {
        let hold = try deletes.hold(ids.count, id, .pull, now: context.wall(), in: transaction)
        try attach(Array(ids), to: hold, transaction)
    }

    private func attach(_ ids: [RecordID], to hold: Int64, _ transaction: Transaction) throws {
        for id in ids {
            let key = RecordKey(self.id, id)
            if try transaction.held(key).contains(where: { $0.payload == nil }) { continue }
            try transaction.attach(key, to: hold)
            try context.writer(transaction).save(try transaction.record(key), Outcome(), origin: .remote)
        }
    }

    /// Tries updates of unknown records again: the pull is complete, so the record is here now if it is anywhere.
    func retryUnknownRecords() async throws {
        guard hasQuarantined else { return }
        let retry = QuarantineRetry(context: context)
        try await context.commit { [id] transaction in
            for item in try transaction.quarantined(code: .unknownRecord, in: id) {
                _ = try retry.retry(item, in: transaction)
            }
        }
    }
}
