internal import JSONText
internal import SyncModel

/// Deletes that the journal had before anything was known of their records.
extension CollectionMachine {
    private var unseenName: String { "unseen.\(rules.id)" }

    /// What was not judged yet when the daemon ended: the deletes by their records, each with the stamp of what it ended where
    /// that belongs into the ledger.
    mutating func loadDeletedUnseen<Book>(_ step: inout Step<Book>) throws {
        let lines = try step.book.lines(unseenName)
        for line in lines {
            let words = line.split(separator: " ")
            guard let id = words.first.flatMap({ RecordID($0) }) else { continue }
            let state = try step.book.record(key(id)).state
            guard let deletion = state.known.deletion, let shown = state.remote?.content else { continue }
            deletedUnseen[id] = words.dropFirst().compactMap { Stamp($0) }.map {
                DecidedConflict(.laterStamp, winner: Version(nil, deletion), loser: Version(shown, $0))
            }
        }
        notedUnseen = lines.count
    }

    /// Notes what is not judged yet, where that has changed.
    mutating func saveDeletedUnseen<Book>(_ step: inout Step<Book>) throws {
        guard deletedUnseen.count != notedUnseen else { return }
        let lines = deletedUnseen.keys.sorted().map { id in
            let lost = deletedUnseen[id, default: []].map(\.loser.stamp.description)
            return ([id.description] + lost).joined(separator: " ")
        }
        try step.book.setLines(unseenName, lines)
        notedUnseen = lines.count
    }

    /// Whether nothing of the record has been seen yet, and the snapshot is not merged.
    func isUnseen(_ state: RecordState) -> Bool {
        !recordsMerged && state.remote == nil && state.known.fields == nil
    }

    /// Something of a record was seen for the first time: perhaps it is deleted here.
    ///
    /// - Parameter outcome: keeps what it says, but for the conflicts: they are noted when the delete counts.
    mutating func noteDeletedUnseen(_ state: RecordState, _ outcome: inout Outcome, _ node: NodeID) {
        guard state.isDeletedUnseen(by: node) else { return }
        deletedUnseen[state.key.id] = outcome.conflicts
        outcome.conflicts = []
    }

    /// Records that were deleted here before anything was known of them, and that the remote has: where they are too many,
    /// their deletes wait as if the journal had brought them now.
    mutating func judgeDeletedUnseen<Book>(_ step: inout Step<Book>) throws {
        guard !deletedUnseen.isEmpty, !isAnyUnseenRead else { return }
        let conflicts = deletedUnseen
        deletedUnseen = [:]
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
        let areAdmitted = try found.isEmpty || admits(deletes: found.count, unseen: found.count, &step)
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
