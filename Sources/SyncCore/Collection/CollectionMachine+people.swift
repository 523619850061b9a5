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

    /// Whether a record waits because nothing can be written in its author's name now.
    mutating func restsForPerson(_ state: RecordState) -> Bool {
        guard let person = rules.key.author(of: state.keyInRemote) else { return false }
        return people.rests(state.key.id, of: person)
    }

    /// What an answer to a request in somebody's name says of the next ones.
    ///
    /// - Returns: whether that is all there is to it, as nothing was asked for.
    mutating func isAnswered<Book>(
        _ person: String, _ kind: Job.Kind, _ result: Result<Answer, RemoteError>, _ step: inout Step<Book>
    ) throws -> Bool {
        if case .failure(let error) = result, error.code == .personUnreachable, let id = kind.written {
            people.failed(person, error.message, random: step.time.random, at: step.time.monotonic)
            try complete([id], &step)
            return true
        }
        for id in people.answered(person) { queue.append(id) }
        return false
    }

    mutating func noteResting<Book>(_ step: inout Step<Book>) {
        guard notedResting != people.reasons else { return }
        notedResting = people.reasons
        step.note(.resting(people: notedResting))
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
