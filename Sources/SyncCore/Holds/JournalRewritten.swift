package import SyncModel

/// What was already read of the journal has been changed in place: nothing more is read before a decision.
package struct JournalRewritten: HoldRule {
    /// Raises the hold, where none of the kind waits already.
    package static func raise(reason: String, since now: UInt64, in book: some RecordBook) throws {
        guard try book.holds(of: .journalRewritten).isEmpty else { return }
        _ = try book.raise(Hold(.journalRewritten, .journal, reason: reason, since: now))
    }

    package var stopsJournal: Bool { true }
    package var isReadOnAfterRejection: Bool { true }

    package func approval(of hold: Hold) -> String {
        "reads the journal again from its start: lines without an opID count as edits of the time when the file was changed"
    }

    package func rejection(of hold: Hold) -> String {
        "goes on where reading had stopped; where that place can't be told any more, behind what stood in the journal when this "
            + "was noticed"
    }

    package func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? "its lines are read again" : "its lines are not read again"
    }

    package func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect { .journal(.readAgain) }

    package func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect { .journal(.goOn) }
}
