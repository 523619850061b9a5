internal import SyncModel

/// More of a collection would be deleted at once than ``DeleteLimit`` admits.
struct MassDelete: HoldRule {
    /// The hold for deletes of a collection by one source: the one that waits already, which then waits for these too, else a
    /// new one. Another source's is another question.
    ///
    /// - Parameters:
    ///   - direction: `journal` for operations, `pull` for disappearances from the remote.
    ///   - live: how many records the collection has.
    ///   - source: who would delete them, for people; nil for the direction's own word.
    static func raise(
        _ direction: Direction, of collection: CollectionID, live: Int, by source: String? = nil,
        since now: UInt64, in book: some RecordBook
    ) throws -> Int64 {
        let beginning = "\(source ?? (direction == .journal ? "the journal" : "the remote")) would delete "
        var hold = Hold(
            .massDelete, direction, reason: "\(beginning)\(Hold.countOfRecords) of \(live.grouped) \(collection)",
            since: now)
        hold.collection = collection
        return try book.raiseOnce(hold) { $0.template.hasPrefix(beginning) }
    }

    /// Who would delete them where the remote looks set back to an older state: so its holds are known again.
    static let remoteSetBack = "the remote, which looks set back to an older state,"

    /// The same where one record stood in the place of all, and some did not come back with the others.
    static let rootWasOneRecord = "the remote, in which one record stood in the place of all,"

    /// Whether it asks what has become of records that were lost, not deleted: then only a person, or whoever has deleted the
    /// record knowingly, answers that.
    static func asksAboutLoss(_ hold: Hold) -> Bool {
        guard hold.kind == .massDelete, hold.direction == .pull else { return false }
        return [remoteSetBack, rootWasOneRecord].contains { hold.template.hasPrefix($0) }
    }

    func approval(of hold: Hold) -> String {
        hold.direction == .journal
            ? "deletes these records, except those that were edited since, then applies the edits that waited behind the deletes"
            : "deletes these records on every node, except those that were edited here since"
    }

    func rejection(of hold: Hold) -> String {
        hold.direction == .journal
            ? "keeps these records, and applies the edits that waited behind the deletes"
            : "keeps these records, and writes them to the remote again"
    }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        guard hold.direction == .journal else { return approved ? record.disappearance : record.keeping }
        if approved { return record.waitingEdits() }
        let others = record.edits { $1.kind != .delete }.contains { $0.operation.kind != .delete }
        if record.state.view == nil { return others ? record.waitingEdits(butDeletes: true) : "stays deleted" }
        return others ? "kept; other edits of it are applied" : "kept"
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        if decision.hold.direction == .journal {
            try decision.applyOperations(.decided, origin: .decision)
            return .none
        }
        return try decision.deleteAllMissing()
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        if decision.hold.direction == .journal {
            try decision.applyOperations(.decided, origin: .decision) { $1.kind == .delete ? .keepsRecord : nil }
        } else {
            for record in decision.held { try decision.keep(record.key, isMissing: true) }
        }
        return .none
    }
}
