internal import SyncModel

/// What an event or a read means for holds that name the record.
extension CollectionMachine {
    /// Whether what was shown waits for a person; what is there again waits no more.
    mutating func waits<Book>(
        found reading: Reading, _ shown: ObservedEntry, _ id: RecordID, _ step: inout Step<Book>
    ) throws -> Bool {
        guard try step.book.anyHeld() else { return false }
        try releaseFound(reading, id, &step)
        if try noteHeldChange(reading, shown, key(id), &step) { return true }
        guard try waitsForPerson(key(id), step.book) else { return false }
        if reading == .absent { return true }
        try releaseDisappeared(id, &step)
        return false
    }

    /// Whether a hold names the record: then nothing of it is changed before the decision.
    func isHeld(_ id: RecordID, _ book: some RecordBook) throws -> Bool {
        try book.isHeld(key(id))
    }

    /// Whether a tombstone tells only of the absence that this node asks about: the remote was set back, emptied or written over,
    /// and a node that could not see that any more has taken what is missing for deleted (`docs/protocol.md` section 10).
    func isInQuestion(
        _ tombstone: AdmittedTombstone, _ state: RecordState, _ book: some RecordBook
    ) throws -> Bool {
        guard try book.anyHeld(), state.isDerived(tombstone) else { return false }
        return try book.held(state.key, in: CollectionMachine.disappearances).contains { entry in
            try book.hold(entry.hold).map { $0.kind != .massDelete || MassDelete.asksAboutLoss($0) } ?? false
        }
    }

    /// The record's disappearance waits for nobody any more; a hold that named no other record has ended with that.
    mutating func releaseDisappeared<Book>(_ id: RecordID, _ step: inout Step<Book>) throws {
        let root = try step.book.waiting(.rootIsOneRecord, rules.id, .pull)
        guard try step.book.release(key(id), from: CollectionMachine.disappearances, step.context) else { return }
        streams[.records(rules.id)]?.noteBack(at: step.time.monotonic)
        if askedAfterEmptyList == id {
            // The list was none, and the next one tells what else is there.
            (askedAfterEmptyList, reconcileAt) = (nil, step.time.monotonic)
        }
        // Another node has decided about the last of them: what stands there was not to be removed, or is not there for long.
        if let root, try step.book.hold(root.number) == nil { try RootIsOneRecord.accept(rules.id, in: step.book) }
        // What was edited meanwhile was not told: it could not be pushed then.
        released(id)
        try lookAtHolds(&step)
    }

    /// A hold names the record no more: it is pushed, and a second key of it that waited for that is read.
    mutating func released(_ id: RecordID) {
        queue.append(id)
        if hints[id] != nil { readings.append(id) }
    }

    /// What apps have made since of a record whose change waits for a person: the latest is what is decided about. Where a node
    /// has written it since, that one has decided.
    ///
    /// - Returns: whether it waits.
    private mutating func noteHeldChange<Book>(
        _ reading: Reading, _ shown: ObservedEntry, _ key: RecordKey, _ step: inout Step<Book>
    ) throws -> Bool {
        guard let entry = try step.book.held(key, in: [.massForeignChange]).last else { return false }
        let state = try step.book.record(key).state
        // What a second key shows is not the record.
        if state.remote != nil, state.remoteKey != shown.nonCanonicalKey { return false }
        let content = foreignContent(reading, state, step)
        let newest = state.remote?.newestStamp ?? .zero
        // The app has taken it back, too, where it is there as nodes know it.
        if let stamp = reading.stamp, stamp > newest || stamp == newest && content == nil {
            try step.book.release(key, from: [.massForeignChange], step.context)
            released(key.id)
            try lookAtHolds(&step)
            return false
        }
        if content != nil || reading == .absent { try step.book.replace(entry, payload: content?.text) }
        return true
    }

    // MARK: Records that are put back

    /// Counts that a stale app has put the record back, unless an event has told that already.
    mutating func countPutBack(_ reading: Reading, _ state: inout RecordState) {
        let isCounted = putBack.remove(state.key.id) != nil
        if !isCounted, state.isPutBack(reading) { state.timesPutBack += 1 }
    }

    /// Stores a record that was read, with what that means for whether an app puts it back again and again.
    mutating func judgePutBack<Book>(
        _ stored: inout StoredRecord, _ outcome: Outcome, editsCountSince: UInt64?, _ step: inout Step<Book>
    ) throws {
        let key = stored.state.key
        let isOver =
            try StaleWriter.isOver(stored.state) && step.book.anyHeld()
            && !step.book.held(key, in: [.staleWriter]).isEmpty
        if isOver { stored.state.timesPutBack = 0 }
        try store(stored, outcome, editsCountSince: editsCountSince, &step)
        try StaleWriter.raise(ifNeeded: stored.state, in: step.book, step.context)
        guard isOver, try step.book.release(key, from: [.staleWriter], step.context) else { return }
        released(key.id)
        try lookAtHolds(&step)
    }
}
