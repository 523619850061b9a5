internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    /// Judges what events or a snapshot showed: echoes are dropped, later stamps applied, all else becomes a hint.
    func observe(_ entries: [ObservedEntry]) async throws {
        let ready = work.withLock { work in entries.filter { !work.deferIfInFlight($0) } }
        guard !ready.isEmpty else { return }
        let time = context.time
        let hasQuarantined = self.hasQuarantined
        let result = try await context.commit { transaction in
            var result = ObservationResult()
            let hasHeld = try transaction.anyHeld()
            for entry in ready {
                try self.observe(
                    entry, transaction, time, hasHeld: hasHeld, hasQuarantined: hasQuarantined, &result)
            }
            try self.applyDeleteLimit(&result, transaction)
            return result
        }
        context.noteIngested(ready.count)
        for defect in result.defects { log(defect.key, defect.defect) }
        if result.applied > 0 {
            context.status.update { $0.lastPullAt = Moment(milliseconds: time.wall) }
            // Somebody else writes here too: from now on only random ids are certainly nobody else's.
            work.withLock { $0.emptyAtStart = false }
        }
        work.withLock { work in
            for (id, hint) in result.hints { work.hint(id, hint) }
        }
        if !result.hints.isEmpty {
            noteUnconfirmed()
            scheduleWork()
        }
    }

    /// Whether anything of the collection is in quarantine: most of the time nothing is.
    var hasQuarantined: Bool { (context.status.current.counts[id]?.quarantined ?? 0) > 0 }

    private struct ObservationResult: Sendable {
        var hints: [(id: RecordID, hint: WorkQueue.Hint)] = []
        /// Hints at disappearances that no tombstone explains.
        var disappeared: [RecordID] = []
        var applied = 0
        var defects: [(key: String, defect: Defect)] = []
    }

    private func observe(
        _ entry: ObservedEntry, _ transaction: Transaction, _ time: StampPolicy, hasHeld: Bool, hasQuarantined: Bool,
        _ result: inout ObservationResult
    ) throws {
        if case .unreadable = entry.value { return try unreadable(entry, transaction, &result) }
        if hasQuarantined { try releaseUnreadable(entry, transaction) }
        guard let id = entry.id else { return }
        var stored = try transaction.record(RecordKey(self.id, id))
        if hasHeld, case .record(let reading) = entry.value {
            let released = try reading != .absent && releaseHeld(stored.state.key, transaction)
            if reading == .absent, try transaction.held(stored.state.key).contains(where: { $0.payload == nil }) {
                return
            }
            if released { try context.writer(transaction).save(stored, Outcome(), origin: .remote) }
            stored = try transaction.record(RecordKey(self.id, id))
        }
        switch entry.value {
        case .unreadable: break
        case .tombstone(let found):
            switch stored.state.verdict(onTombstone: found) {
            case .echo: break
            case .hint: result.hints.append((id, .init()))
            case .apply:
                try apply(tombstone: found, &stored, transaction, time, &result)
                if hasHeld, stored.state.local?.deleted == true { try releaseHeld(stored.state.key, transaction) }
            }
        case .record(let reading):
            if let second = duplicateKey(entry, stored.state) {
                if reading != .absent { result.hints.append((id, .init(duplicateKey: second))) }
                return
            }
            switch stored.state.verdict(on: reading) {
            case .echo: break
            case .hint: noteHint(entry, reading, stored.state, &result)
            case .apply: try apply(reading, entry, &stored, transaction, time, &result)
            }
        }
    }

    private func noteHint(
        _ entry: ObservedEntry, _ reading: Reading, _ state: RecordState, _ result: inout ObservationResult
    ) {
        guard let id = entry.id else { return }
        result.hints.append((id, .init(nonCanonicalKey: entry.nonCanonicalKey)))
        if reading == .absent, state.wouldBeDeletedWithoutTombstone { result.disappeared.append(id) }
    }

    private func apply(
        _ reading: Reading, _ entry: ObservedEntry, _ stored: inout StoredRecord, _ transaction: Transaction,
        _ time: StampPolicy, _ result: inout ObservationResult
    ) throws {
        if let stamp = reading.stamp, time.isFuture(stamp.physical) {
            return try quarantine(future: stamp, entry, transaction, &result)
        }
        let outcome = stored.state.read(
            reading, etag: entry.etag, key: entry.nonCanonicalKey, clock: &transaction.clock, wall: time.wall)
        try context.writer(transaction).save(stored, outcome, origin: .remote)
        result.applied += 1
    }

    private func apply(
        tombstone found: KnownTombstone?, _ stored: inout StoredRecord, _ transaction: Transaction, _ time: StampPolicy,
        _ result: inout ObservationResult
    ) throws {
        if let stamp = found?.stamp, time.isFuture(stamp.physical) {
            let entry = ObservedEntry(
                id: stored.state.key.id, key: stored.state.key.id.description, value: .tombstone(found))
            return try quarantine(future: stamp, entry, transaction, &result)
        }
        let outcome = stored.state.readTombstone(found, clock: &transaction.clock, wall: time.wall)
        try context.writer(transaction).save(stored, outcome, origin: .remote)
        if stored.state.remote != nil { result.hints.append((stored.state.key.id, .init(admitted: true))) }
        result.applied += 1
    }

    /// Puts an entry from the future into quarantine; what this node has for its key is not pushed.
    func quarantine(future stamp: Stamp, _ entry: ObservedEntry, _ transaction: Transaction) throws -> Defect {
        let text = RFC3339.text(stamp.physical)
        let defect = Defect(.futureStamp, "the remote's version is dated \(text), which is in the future")
        try block(entry, defect, transaction, stamp: stamp)
        return defect
    }

    private func quarantine(
        future stamp: Stamp, _ entry: ObservedEntry, _ transaction: Transaction, _ result: inout ObservationResult
    ) throws {
        result.defects.append((entry.key, try quarantine(future: stamp, entry, transaction)))
    }

    private func unreadable(_ entry: ObservedEntry, _ transaction: Transaction, _ result: inout ObservationResult)
        throws
    {
        guard case .unreadable(let defect) = entry.value else { return }
        try block(entry, defect, transaction)
        result.defects.append((entry.key, defect))
    }

    /// Puts an entry that can't be taken into quarantine; what this node has for its key is not pushed.
    func block(_ entry: ObservedEntry, _ defect: Defect, _ transaction: Transaction, stamp: Stamp? = nil) throws {
        try quarantine(entry, defect, transaction, stamp: stamp)
        guard let id = entry.id else { return }
        var stored = try transaction.record(RecordKey(self.id, id))
        guard let local = stored.state.local?.stamp, stored.state.blocked != local else { return }
        stored.state.blocked = local
        try context.writer(transaction).save(stored, Outcome(), origin: .remote)
    }

    /// What stands under the key can be read again, or is gone.
    func releaseUnreadable(_ entry: ObservedEntry, _ transaction: Transaction) throws {
        let name = entry.nonCanonicalKey ?? entry.id?.description ?? entry.key
        let items = try transaction.quarantined(collection: id, record: name).filter { $0.source == .pull }
        guard !items.isEmpty else { return }
        for item in items { try transaction.release(item) }
        guard let id = entry.id else { return }
        var stored = try transaction.record(RecordKey(self.id, id))
        guard stored.state.blocked != nil else { return }
        stored.state.blocked = nil
        try context.writer(transaction).save(stored, Outcome(), origin: .remote)
    }

    /// The key that does not count, where the entry shows that there are two for one UUID.
    private func duplicateKey(_ entry: ObservedEntry, _ state: RecordState) -> String? {
        guard let remote = state.remote, remote.key != entry.nonCanonicalKey else { return nil }
        return entry.nonCanonicalKey ?? remote.key
    }

    func quarantine(_ entry: ObservedEntry, _ defect: Defect, _ transaction: Transaction, stamp: Stamp? = nil) throws {
        var item = QuarantinedItem(.pull, defect, since: context.wall())
        item.collection = id
        item.record = entry.nonCanonicalKey ?? entry.id?.description
        item.stamp = stamp
        try transaction.quarantine(item)
    }

    func log(_ key: String, _ defect: Defect) {
        context.logger.warning(
            "An entry of the remote was put into quarantine",
            metadata: [
                "event": "pull.quarantined", "collection": "\(id)", "record": "\(key)", "code": "\(defect.code)",
                "reason": "\(defect.message)",
            ])
    }

    /// Where more disappear at once than may, they are held instead of asked for.
    private func applyDeleteLimit(_ result: inout ObservationResult, _ transaction: Transaction) throws {
        guard result.disappeared.count > 5 else { return }
        let gone = Set(result.disappeared)
        if deletes.admits(gone.count, id, .pull, now: context.wall()) {
            for index in result.hints.indices where gone.contains(result.hints[index].id) {
                result.hints[index].hint.admitted = true
            }
        } else {
            try holdDeletes(of: gone, transaction)
            result.hints.removeAll { gone.contains($0.id) }
        }
    }

    /// A record that a hold names is there again, or a tombstone has ended it: the hold no longer names it.
    @discardableResult
    private func releaseHeld(_ key: RecordKey, _ transaction: Transaction) throws -> Bool {
        let held = try transaction.held(key).filter { $0.payload == nil }
        for entry in held {
            try transaction.release(entry)
            if try transaction.held(by: entry.hold).isEmpty { try transaction.end(hold: entry.hold) }
        }
        return !held.isEmpty
    }
}
