internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What the mutations of ``SimulatedMutation`` do where a line is not enough.
extension SimulatedNode {
    /// Asks for something now and then, for no reason.
    func poll() {
        let life = epoch
        timeline.after(600_000) { [self] in
            guard epoch == life else { return }
            probe()
            poll()
        }
    }

    /// As if the position had been committed before what it stands for.
    func storePosition(in store: LocalStore) {
        let end = journal.end
        _ = try? store.writeNow { try Course.reached(end, in: $0) }
    }

    /// As if an update of an unknown record had no stamp until its record comes.
    func forgetStampsOfUnknown(in transaction: Transaction) throws {
        for item in try transaction.quarantined(code: .unknownRecord, in: world.rules.id) {
            guard let id = item.record.flatMap({ RecordID($0) }), let stamp = item.stamp else { continue }
            var stored = try transaction.record(RecordKey(world.rules.id, id))
            stored.state.ownStamp = nil
            try transaction.store(stored, Outcome(), origin: .journal, applier.context(world.rules.id))
            transaction.clock = HybridClock(
                node: transaction.clock.node,
                persisted: Stamp(physical: stamp.physical - 1, counter: 0, node: transaction.clock.node),
                began: transaction.clock.began)
        }
    }

    /// As if nobody had asked whether a hold names the record.
    func writeWhatIsHeld() {
        guard isMutated(.heldIsWritten), let record = glimpse.held.first else { return }
        let key = record.key
        ask(.remove(world.records.key(of: key.id), .records(key.collection), etag: "any")) { _ in }
    }

    /// As if the node had been in touch until now.
    func forgetAbsence() {
        _ = commit(tellingMachine: false) { transaction in
            for name in ["touched", "applied"] { try transaction.setText("\(name).\(world.rules.id)", String(wall)) }
        }
    }

    func deleteAll(heldBy hold: Hold, in transaction: Transaction) throws {
        for record in try transaction.held(by: hold.number) where hold.direction == .pull {
            let operation = Operation(.delete, record.key)
            try applier.apply(operation, .decided, line: [], origin: .decision, in: transaction)
        }
    }

    /// Stores a record as it was read before, so that what it was counted as is counted once more.
    func countTwice(in transaction: Transaction) throws {
        guard isMutated(.countedTwice), let id = try transaction.pendingIDs(in: world.rules.id).first else { return }
        let stored = try transaction.record(RecordKey(world.rules.id, id))
        try transaction.save(stored, pending: .no, now: wall)
        try transaction.save(stored, pending: .no, now: wall)
    }

    /// What the node hears where something else was answered.
    func mutated(_ answer: SimulatedNetwork.Answer) -> SimulatedNetwork.Answer {
        guard isMutated(.horizonIgnored), case .success(.horizon(var horizon)) = answer else { return answer }
        horizon.stamp = nil
        return .success(.horizon(horizon))
    }

    /// Takes out of the quarantine what an event shows, whatever it is.
    private func forgetSetAside(_ event: RemoteEvent) {
        guard isMutated(.setAsideForgotten), case .snapshotEntry(let entry) = event,
            case .record(_, .some) = entry.value
        else { return }
        let context = applier.context(world.rules.id)
        _ = commit { transaction in
            for item in try transaction.quarantined(collection: world.rules.id, record: entry.key) {
                try transaction.release(item, context)
            }
        }
    }

    /// Whether an event of a stream arrives.
    func isNoticed(_ event: RemoteEvent, _ keyspace: Keyspace) -> Bool {
        forgetSetAside(event)
        switch (world.settings.mutation, event) {
        case (.unreadableLooksAbsent?, .changed(let entry)), (.unreadableLooksAbsent?, .snapshotEntry(let entry)):
            return SimulatedFilms.isReadable(entry)
        case (.eventsDropped?, .changed), (.eventsDropped?, .touched): return !random.chance(30)
        case (.olderStampDropped?, .changed(let entry)):
            guard case .record(_, let stamps?) = entry.value, let id = world.rules.recordID(of: entry.key) else {
                return true
            }
            return world.history.lastStamps[id].map { stamps.version >= $0 } ?? true
        default: return true
        }
    }
}
