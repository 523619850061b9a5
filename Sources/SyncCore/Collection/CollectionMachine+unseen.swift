internal import JSONText
internal import SyncModel

/// Deletes that the journal had before anything was known of their records.
extension CollectionMachine {
    /// Says that some are not judged yet, each of them by its name.
    private var unseenName: String { "unseen.\(rules.id).each" }

    /// Says that this one is not: the stamps of what it ended, where that belongs into the ledger.
    private func unseenName(_ id: RecordID) -> String { "unseen.\(rules.id).\(id)" }

    /// Said by an older release that some are not judged yet: each that waits may be one.
    private var unnamedUnseenName: String { "unseen.\(rules.id)" }

    /// The deletes that were not judged yet when the daemon ended.
    mutating func loadDeletedUnseen<Book>(_ step: inout Step<Book>) throws {
        let areUnnamed = try step.book.isNoted(unnamedUnseenName)
        guard try areUnnamed || step.book.isNoted(unseenName) else { return }
        for id in try step.book.pendingIDs(in: rules.id) {
            let lost = try step.book.text(unseenName(id))
            guard lost != nil || areUnnamed else { continue }
            let state = try step.book.record(key(id)).state
            guard state.isDeletedUnseen(by: step.push.node), let deletion = state.known.deletion,
                let shown = state.remote?.content
            else { continue }
            deletedUnseen[id] = (lost ?? "").split(separator: "\n").compactMap { Stamp($0) }.map {
                DecidedConflict(.laterStamp, winner: Version(nil, deletion), loser: Version(shown, $0))
            }
            if lost == nil { try step.book.setText(unseenName(id), "") }
        }
        if areUnnamed { try step.book.removeValue(unnamedUnseenName) }
        try step.book.setNoted(unseenName, !deletedUnseen.isEmpty)
    }

    /// Whether nothing of the record has been seen yet, and the snapshot is not merged.
    func isUnseen(_ state: RecordState) -> Bool {
        !recordsMerged && state.remote == nil && state.known.fields == nil
    }

    /// Reads what was shown of a record into its state, with what that tells the ledger, and of a delete that had seen nothing.
    mutating func learn<Book>(
        _ reading: Reading, _ shown: ObservedEntry, tombstone: AdmittedTombstone? = nil, past: [Content] = [],
        editsCountSince since: UInt64?, _ state: inout RecordState, _ step: inout Step<Book>
    ) throws -> Outcome {
        let (before, isNew) = (state, isUnseen(state) || since != nil)
        var outcome = state.read(
            reading, etag: shown.etag, tombstone: tombstone, sent: unanswered[state.key.id] ?? [], past: past,
            editsCountSince: since, clock: &step.book.clock, step.context.step)
        if isNew { try noteDeletedUnseen(state, &outcome, &step) }
        if settings.writeGuard == .rules, case .stamped(let version) = reading {
            outcome.noteOverwrittenBelow(before: before, shown: version, rules.merge)
        }
        return outcome
    }

    /// Something of a record was seen for the first time: perhaps it is deleted here.
    ///
    /// - Parameter outcome: keeps what it says, but for the conflicts: they are noted when the delete counts.
    mutating func noteDeletedUnseen<Book>(
        _ state: RecordState, _ outcome: inout Outcome, _ step: inout Step<Book>
    ) throws {
        guard state.isDeletedUnseen(by: step.push.node) else { return }
        if deletedUnseen.isEmpty { try step.book.setNoted(unseenName, true) }
        deletedUnseen[state.key.id] = outcome.conflicts
        try step.book.setLines(unseenName(state.key.id), outcome.conflicts.map(\.loser.stamp.description))
        outcome.conflicts = []
    }

    /// Records that were deleted here before anything was known of them, and that the remote has: where they are too many,
    /// their deletes wait as if the journal had brought them now.
    mutating func judgeDeletedUnseen<Book>(_ step: inout Step<Book>) throws {
        guard !deletedUnseen.isEmpty, !isAnyUnseenRead else { return }
        let conflicts = deletedUnseen
        deletedUnseen = [:]
        try step.book.setNoted(unseenName, false)
        for id in conflicts.keys { try step.book.removeValue(unseenName(id)) }
        var (found, madeAnew): ([StoredRecord], [StoredRecord]) = ([], [])
        for id in conflicts.keys.sorted() {
            // Whatever has become of it meanwhile, it was passed over.
            queue.append(id)
            let stored = try step.book.record(key(id))
            if stored.state.isDeletedUnseen(by: step.push.node) {
                found.append(stored)
            } else if stored.state.known.live?.newest.node == step.push.node {
                madeAnew.append(stored)
            }
        }
        let ids = found.map(\.state.key.id)
        let areAdmitted = try ids.isEmpty || admits(deletes: ids, unseen: ids.count, &step)
        for stored in areAdmitted ? madeAnew + found : madeAnew {
            var outcome = Outcome()
            outcome.conflicts = conflicts[stored.state.key.id] ?? []
            try store(stored, outcome, &step)
        }
        if !areAdmitted { try setAside(deletes: found, &step) }
    }

    /// The deletes of these records wait for a person.
    private mutating func setAside<Book>(deletes found: [StoredRecord], _ step: inout Step<Book>) throws {
        let live = try step.book.counts(of: rules.id).records + found.count
        let hold = try MassDelete.raise(
            .journal, of: rules.id, live: live, since: step.time.wall, in: step.book)
        for var stored in found {
            let deletion = stored.state.known.deletion ?? .zero
            let outcome = stored.state.deleteSetAside(clock: &step.book.clock, step.context.step)
            try store(stored, outcome, &step)
            try step.book.attach(
                stored.state.key, to: hold, payload: deleteLine(of: stored.state.keyInRemote, at: deletion),
                step.context)
        }
    }

    /// Whether records for which edits wait are still to be read. Their deletes are judged together.
    var isAnyUnseenRead: Bool {
        editsCountSince.keys.contains { hints[$0] != nil || inFlight.contains($0) }
    }

    /// The line of the journal that says the same.
    private func deleteLine(of key: String, at deletion: Stamp) -> [UInt8] {
        JSONWriter.text(
            .object([
                "op": "delete", "id": .string(key), "collection": .string(rules.id.description),
                "at": .string(RFC3339.text(deletion.physical)),
            ]))
    }
}
