internal import SyncModel

/// A record without a base is older than the oldest delete that is remembered: it may have been deleted long ago.
struct BelowHorizon: HoldRule {
    static func raise(
        for key: RecordKey, _ horizon: Stamp, since now: UInt64, in book: some RecordBook, _ context: BookContext
    ) throws {
        let reason = "\(key.id) is older than what is remembered of deletes (\(RFC3339.text(horizon.physical)))"
        var hold = Hold(.belowHorizon, .push, reason: reason, since: now)
        hold.collection = key.collection
        hold.record = key.id
        try book.attach(key, to: try book.raise(hold), context)
    }

    func approval(of hold: Hold) -> String { "keeps the record, and writes it to the remote" }

    func rejection(of hold: Hold) -> String { "deletes the record on this node" }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? "written to the remote" : "deleted on this node"
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held { try decision.keep(record.key) }
        return .none
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held { try decision.deleteMissing(record.key) }
        return .none
    }
}
