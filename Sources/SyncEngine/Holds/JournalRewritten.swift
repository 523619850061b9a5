internal import LocalStore
internal import SyncModel

/// What was already read of the journal has been changed in place: nothing more is read before a decision.
struct JournalRewritten: HoldRule {
    /// Raises the hold, where none of the kind waits already.
    static func raise(reason: String, since now: UInt64, in transaction: Transaction) throws {
        if try transaction.holds().contains(where: { $0.kind == .journalRewritten }) { return }
        _ = try transaction.raise(Hold(.journalRewritten, .journal, reason: reason, since: now))
    }

    func approval(of hold: Hold) -> String { "reads the journal again from its start" }

    func rejection(of hold: Hold) -> String {
        "goes on behind what stood in the journal when this was noticed, and reads what was appended since"
    }

    func approve(_ decision: HoldDecision) throws -> HoldEffect { .journal(.readAgain) }

    func reject(_ decision: HoldDecision) throws -> HoldEffect { .journal(.goOn) }

    let expire: (@Sendable (HoldDecision) throws -> Void)? = nil
}
