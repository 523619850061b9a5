internal import SyncModel

/// A whole snapshot of a collection is empty, and this node knows records that the remote had.
struct EmptyRemote: HoldRule {
    /// The hold for the collection: the one that waits already, else a new one.
    static func raise(
        of collection: CollectionID, since now: UInt64, in book: some RecordBook
    ) throws -> Int64 {
        let reason = "the remote has no \(collection) any more, of which this node knows \(Hold.countOfRecords)"
        var hold = Hold(.emptyRemote, .pull, reason: reason, since: now)
        hold.collection = collection
        return try book.raiseOnce(hold)
    }

    func approval(of hold: Hold) -> String {
        "deletes these records on every node, except those that were edited here since"
    }

    func rejection(of hold: Hold) -> String { "keeps these records, and writes them to the remote again" }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? record.disappearance : record.keeping
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        try decision.deleteAllMissing()
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held { try decision.keep(record.key, isMissing: true) }
        return .none
    }
}
