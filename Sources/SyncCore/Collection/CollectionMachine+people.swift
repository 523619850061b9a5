internal import SyncModel

/// What is written in a person's name, and waits while they are not signed in any more.
extension CollectionMachine {
    /// Whether a record waits until its author signs in again.
    func waitsForSession<Book>(_ state: RecordState, _ step: inout Step<Book>) throws -> Bool {
        guard rules.key.hasAuthor, try step.book.anyHeld(), let person = rules.key.author(of: state.keyInRemote),
            let hold = try step.book.waiting(.sessionEnded, rules.id, .push, of: person)
        else { return false }
        try step.book.attach(state.key, to: hold.number, step.context)
        return true
    }

    /// A request in the name of a record's author was not sent, because their session has ended.
    mutating func sessionEnded<Book>(_ id: RecordID, _ error: RemoteError, _ step: inout Step<Book>) throws {
        let state = try step.book.record(key(id)).state
        if let person = rules.key.author(of: state.keyInRemote) {
            try SessionEnded.raise(
                for: state.key, of: person, error.message, since: step.time.wall, in: step.book, step.context)
        }
        try complete([id], &step)
    }
}
