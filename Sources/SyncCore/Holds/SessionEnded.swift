internal import SyncModel

/// A person's session with the remote has ended, so that nothing can be written in their name: their edits wait. Ends by
/// itself when they sign in again.
struct SessionEnded: HoldRule {
    /// Attaches a record to the hold of its author: the one that waits already, else a new one.
    ///
    /// - Parameter reason: why the session has ended.
    static func raise(
        for key: RecordKey, of person: String, _ reason: String, since now: UInt64, in book: some RecordBook,
        _ context: BookContext
    ) throws {
        if let waiting = try book.waiting(.sessionEnded, key.collection, .push, of: person) {
            return try book.attach(key, to: waiting.number, context)
        }
        var hold = Hold(.sessionEnded, .push, reason: reason, since: now)
        hold.collection = key.collection
        hold.person = person
        try book.attach(key, to: try book.raise(hold), context)
    }

    func approval(of hold: Hold) -> String {
        "tries again to write these edits in the person's name; who can't come back so has to sign in"
    }

    func rejection(of hold: Hold) -> String {
        "signs the person out, and writes these edits, and what else waits for them, in the daemon's own name"
    }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? "written in the person's name" : "written by the daemon"
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        decision.hold.person.map { .tryAgain($0) } ?? .none
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        decision.hold.person.map { .signOut($0) } ?? .none
    }
}
