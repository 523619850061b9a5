internal import ControlAPI
internal import LocalStore
internal import Logging
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension CollectionSync {
    /// Looks at what events or a snapshot showed: echoes are dropped, later stamps applied, all else becomes a hint.
    func take(_ entries: [SeenEntry]) async throws {
        let ready = work.withLock { work in entries.filter { !work.deferIfInFlight($0) } }
        guard !ready.isEmpty else { return }
        let time = context.time
        let hasQuarantined = self.hasQuarantined
        let taken = try await context.commit { transaction in
            var taken = Taken()
            let hasHeld = try transaction.anyHeld()
            for entry in ready {
                try self.take(
                    entry, transaction, time, hasHeld: hasHeld, hasQuarantined: hasQuarantined, &taken)
            }
            try self.brake(&taken, transaction)
            return taken
        }
        context.took(ready.count)
        for defect in taken.defects { log(defect.key, defect.defect) }
        if taken.applied > 0 {
            context.board.update { $0.lastPullAt = Moment(milliseconds: time.wall) }
            // Somebody else writes here too: from now on only random ids are certainly nobody else's.
            work.withLock { $0.emptyAtStart = false }
        }
        work.withLock { work in
            for (id, hint) in taken.hints { work.hint(id, hint) }
        }
        if !taken.hints.isEmpty {
            noteUnconfirmed()
            wake()
        }
    }

    /// Whether anything of the collection is in quarantine: most of the time nothing is.
    var hasQuarantined: Bool { (context.board.current.counts[id]?.quarantined ?? 0) > 0 }

    private struct Taken: Sendable {
        var hints: [(id: RecordID, hint: CollectionWork.Hint)] = []
        /// Hints at disappearances that no tombstone explains.
        var gone: [RecordID] = []
        var applied = 0
        var defects: [(key: String, defect: Defect)] = []
    }

    private func take(
        _ entry: SeenEntry, _ transaction: Transaction, _ time: StampPolicy, hasHeld: Bool, hasQuarantined: Bool,
        _ taken: inout Taken
    ) throws {
        if case .unreadable = entry.sight { return try unreadable(entry, transaction, &taken) }
        if hasQuarantined { try releaseUnreadable(entry, transaction) }
        guard let id = entry.id else { return }
        var stored = try transaction.record(RecordKey(self.id, id))
        if hasHeld, case .record(let reading) = entry.sight {
            let released = try cameBack(stored, reading, transaction)
            if reading == .absent, try transaction.held(stored.state.key).contains(where: { $0.payload == nil }) {
                return
            }
            if released { try keeper(transaction).keep(stored, Outcome(), origin: .remote) }
            stored = try transaction.record(RecordKey(self.id, id))
        }
        switch entry.sight {
        case .unreadable: break
        case .tombstone(let found):
            switch stored.state.verdict(onTombstone: found) {
            case .echo: break
            case .hint: taken.hints.append((id, .init()))
            case .apply: try apply(tombstone: found, &stored, transaction, time, &taken)
            }
        case .record(let reading):
            if let second = secondKey(entry, stored.state) {
                if reading != .absent { taken.hints.append((id, .init(secondKey: second))) }
                return
            }
            switch stored.state.verdict(on: reading) {
            case .echo: break
            case .hint: noteHint(entry, reading, stored.state, &taken)
            case .apply: try apply(reading, entry, &stored, transaction, time, &taken)
            }
        }
    }

    private func noteHint(_ entry: SeenEntry, _ reading: Reading, _ state: RecordState, _ taken: inout Taken) {
        guard let id = entry.id else { return }
        taken.hints.append((id, .init(oddKey: entry.oddKey)))
        if reading == .absent, state.wouldBeDeletedWithoutTombstone { taken.gone.append(id) }
    }

    private func apply(
        _ reading: Reading, _ entry: SeenEntry, _ stored: inout StoredRecord, _ transaction: Transaction,
        _ time: StampPolicy, _ taken: inout Taken
    ) throws {
        if case .stamped(_, let stamp) = reading, time.isFuture(stamp.physical) {
            return try quarantine(future: stamp, entry, transaction, &taken)
        }
        let outcome = stored.state.read(
            reading, etag: entry.etag, key: entry.oddKey, clock: &transaction.clock, wall: time.wall)
        try keeper(transaction).keep(stored, outcome, origin: .remote)
        taken.applied += 1
    }

    private func apply(
        tombstone found: KnownTombstone?, _ stored: inout StoredRecord, _ transaction: Transaction, _ time: StampPolicy,
        _ taken: inout Taken
    ) throws {
        if let stamp = found?.stamp, time.isFuture(stamp.physical) {
            let entry = SeenEntry(
                id: stored.state.key.id, key: stored.state.key.id.description, sight: .tombstone(found))
            return try quarantine(future: stamp, entry, transaction, &taken)
        }
        let outcome = stored.state.readTombstone(found, clock: &transaction.clock, wall: time.wall)
        try keeper(transaction).keep(stored, outcome, origin: .remote)
        if stored.state.node != nil { taken.hints.append((stored.state.key.id, .init(counted: true))) }
        taken.applied += 1
    }

    func quarantine(future stamp: Stamp, _ entry: SeenEntry, _ transaction: Transaction) throws -> Defect {
        let text = RFC3339.text(stamp.physical)
        let defect = Defect(.futureStamp, "the remote's version is dated \(text), which is in the future")
        try quarantine(entry, defect, transaction, stamp: stamp)
        return defect
    }

    private func quarantine(
        future stamp: Stamp, _ entry: SeenEntry, _ transaction: Transaction, _ taken: inout Taken
    ) throws {
        taken.defects.append((entry.key, try quarantine(future: stamp, entry, transaction)))
    }

    private func unreadable(_ entry: SeenEntry, _ transaction: Transaction, _ taken: inout Taken) throws {
        guard case .unreadable(let defect) = entry.sight else { return }
        try block(entry, defect, transaction)
        taken.defects.append((entry.key, defect))
    }

    /// Puts a node that can't be a record into quarantine; what this node has for its key is not pushed.
    func block(_ entry: SeenEntry, _ defect: Defect, _ transaction: Transaction) throws {
        try quarantine(entry, defect, transaction)
        guard let id = entry.id else { return }
        var stored = try transaction.record(RecordKey(self.id, id))
        guard let stamp = stored.state.local?.stamp, stored.state.blocked != stamp else { return }
        stored.state.blocked = stamp
        try keeper(transaction).keep(stored, Outcome(), origin: .remote)
    }

    /// What stands under the key can be read again, or is gone.
    func releaseUnreadable(_ entry: SeenEntry, _ transaction: Transaction) throws {
        let name = entry.oddKey ?? entry.id?.description ?? entry.key
        let items = try transaction.quarantined(collection: id, record: name).filter { $0.source == .pull }
        guard !items.isEmpty else { return }
        for item in items { try transaction.release(item) }
        guard let id = entry.id else { return }
        var stored = try transaction.record(RecordKey(self.id, id))
        guard stored.state.blocked != nil else { return }
        stored.state.blocked = nil
        try keeper(transaction).keep(stored, Outcome(), origin: .remote)
    }

    /// The key of the node that does not count, where the entry shows that there are two for one UUID.
    private func secondKey(_ entry: SeenEntry, _ state: RecordState) -> String? {
        guard let node = state.node, node.key != entry.oddKey else { return nil }
        return entry.oddKey ?? node.key
    }

    func quarantine(_ entry: SeenEntry, _ defect: Defect, _ transaction: Transaction, stamp: Stamp? = nil) throws {
        var item = QuarantinedItem(.pull, defect, since: context.wall())
        item.collection = id
        item.record = entry.oddKey ?? entry.id?.description
        item.stamp = stamp
        try transaction.quarantine(item)
    }

    func log(_ key: String, _ defect: Defect) {
        context.logger.warning(
            "A node of the remote was put into quarantine",
            metadata: [
                "event": "pull.quarantined", "collection": "\(id)", "record": "\(key)", "code": "\(defect.code)",
                "reason": "\(defect.message)",
            ])
    }

    /// Where more disappear at once than may: they are held instead of asked for.
    private func brake(_ taken: inout Taken, _ transaction: Transaction) throws {
        guard taken.gone.count > 5 else { return }
        let gone = Set(taken.gone)
        if deletes.admits(gone.count, id, .pull, now: context.wall()) {
            for index in taken.hints.indices where gone.contains(taken.hints[index].id) {
                taken.hints[index].hint.counted = true
            }
        } else {
            try holdDeletes(of: gone, transaction)
            taken.hints.removeAll { gone.contains($0.id) }
        }
    }

    /// A record that a hold names is there again: the hold no longer names it.
    private func cameBack(_ stored: StoredRecord, _ reading: Reading, _ transaction: Transaction) throws -> Bool {
        guard reading != .absent else { return false }
        let held = try transaction.held(stored.state.key).filter { $0.payload == nil }
        for entry in held {
            try transaction.release(entry)
            if try transaction.held(by: entry.hold).isEmpty { try transaction.end(hold: entry.hold) }
        }
        return !held.isEmpty
    }
}

extension RecordState {
    /// Whether a tombstone above the base explains why the remote's node is gone.
    private var deletionIsStamped: Bool {
        guard let stamp = tombstone?.stamp else { return false }
        return (node?.stamp ?? node?.lastStamp).map { stamp > $0 } ?? true
    }

    /// Whether the disappearance of the remote's node would delete the record here, and no tombstone explains it:
    /// what the brake `massDelete` counts. An edit newer than the base survives.
    var wouldBeDeletedWithoutTombstone: Bool {
        guard let node, let local, !local.deleted, !deletionIsStamped else { return false }
        guard !provisional, let deletion = node.deletionStamp else { return true }
        return deletion > local.stamp
    }
}
