package import SyncModel

/// What was already read of the journal has been changed in place: nothing more is read before a decision.
package struct JournalRewritten: HoldRule {
    /// Raises the hold, where none of the kind waits already.
    package static func raise(reason: String, since now: UInt64, in book: some RecordBook) throws {
        if try book.holds().contains(where: { $0.kind == .journalRewritten }) { return }
        _ = try book.raise(Hold(.journalRewritten, .journal, reason: reason, since: now))
    }

    package func approval(of hold: Hold) -> String { "reads the journal again from its start" }

    package func rejection(of hold: Hold) -> String {
        "goes on at the present end of the journal: lines that are in it now are not read"
    }

    package func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect { .readJournalAgain }

    package func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect { .goOnInJournal }
}
