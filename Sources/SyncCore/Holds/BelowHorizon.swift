internal import SyncModel

/// Records that the remote does not have are older than the oldest delete that is remembered: they may have been deleted
/// long ago. One that the remote has after all leaves the hold by itself.
struct BelowHorizon: HoldRule {
    /// Attaches a record to the hold of its collection: the one that waits already, else a new one.
    static func raise(
        for key: RecordKey, _ horizon: Stamp, since now: UInt64, in book: some RecordBook, _ context: BookContext
    ) throws {
        if let existing = try book.waiting(.belowHorizon, key.collection, .push) {
            return try book.attach(key, to: existing.number, context)
        }
        // Where nothing but lines of unknown time can be so old, their date says nothing.
        let than = horizon.physical > CollectionMachine.day ? " before \(RFC3339.text(horizon.physical))" : ""
        let reason =
            "\(Hold.countOfRecords) of the \(key.collection) here, not on the remote, may have been deleted there: "
            + "deletes\(than) are not remembered"
        var hold = Hold(.belowHorizon, .push, reason: reason, since: now)
        hold.collection = key.collection
        try book.attach(key, to: try book.raise(hold), context)
    }

    func approval(of hold: Hold) -> String { "keeps these records, and writes them to the remote" }

    func rejection(of hold: Hold) -> String { "deletes these records on this node" }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? "written to the remote" : "deleted on this node"
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held { try decision.keep(record.key) }
        return .none
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held {
            try decision.change(record.key) { state, clock, context in state.endedLongAgo(clock: &clock, context) }
        }
        return .none
    }
}
