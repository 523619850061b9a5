internal import ControlAPI
internal import SyncModel

extension Session {
    /// Waits until the remote has all of the edits, or one of them can't get there.
    ///
    /// - Throws: for the first edit that the remote does not have, with what a person can do about it.
    func wait(for edits: [JournalEdit], _ wait: Duration) async throws {
        var (asked, failures) = try await answers(of: edits, wait)
        if asked < edits.count, try await !areAllThere(edits) {
            let rest = "\(edits.count - asked) of \(edits.count) edits are in the journal, and were not asked for"
            failures.append(CommandFailure(.tryAgain, "\(rest) within \(wait.roundedText) s"))
        }
        guard var first = failures.first else { return }
        if failures.count > 1 { first.message += " (and \(failures.count - 1) more)" }
        throw first
    }

    /// Asks for the edits, several at once, as long as there is time.
    ///
    /// - Returns: for how many of them, and what is wrong with these, in their order.
    private func answers(
        of edits: [JournalEdit], _ wait: Duration
    ) async throws -> (asked: Int, failures: [CommandFailure]) {
        let began = ContinuousClock.now
        return try await withThrowingTaskGroup(of: (place: Int, failure: CommandFailure?).self) { group in
            var (asked, answered, failures) = (0, 0, [Int: CommandFailure]())
            while true {
                while asked < edits.count, asked - answered < Session.askedAtOnce {
                    let left = wait - began.duration(to: .now)
                    guard left > .zero || asked < Session.mostChecked else { break }
                    group.addTask { [place = asked, edit = edits[asked]] in
                        let reply = try await reply(edit, max(.zero, left))
                        let isOver = began.duration(to: .now) + .milliseconds(100) >= wait
                        return (place, EditOutcome(reply, isOver ? wait : nil).failure)
                    }
                    asked += 1
                }
                guard let answer = try await group.next() else { break }
                answered += 1
                failures[answer.place] = answer.failure
            }
            return (asked, failures.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    /// Whether the daemon says of all edits at once that the remote has them: it has read the last one, and nothing of
    /// their collections waits for anything.
    private func areAllThere(_ edits: [JournalEdit]) async throws -> Bool {
        guard let last = edits.last, EditOutcome(try await reply(last, .zero), nil).failure == nil else { return false }
        let status = try await client.status()
        return status.holds.isEmpty
            && Set(edits.map(\.collection.id.name)).allSatisfy { name in
                status.collections[name].map { $0.pending == 0 && $0.quarantined == 0 } ?? false
            }
    }

    /// So many requests are under way at once; a few connections are left for signs of life.
    private static let askedAtOnce = 4

    /// An edit that can't be applied is in the quarantine as soon as it is read, and one that a person has to decide about in a
    /// hold: whoever made it hears of that. What can't be told at once is not waited for.
    ///
    /// - Throws: for the first edit that is there.
    func checkTaken(_ edits: [JournalEdit]) async throws {
        let end = ContinuousClock.now + Session.checkPatience
        for (index, edit) in edits.enumerated() where index < Session.mostChecked || ContinuousClock.now < end {
            let patience = Session.editPatience
            guard let reply = try? await reply(edit, patience, onlyRead: true), reply.state != .unread else { return }
            // That waits for its record, which may come.
            let isEarly = reply.reason?.hasPrefix(Defect.Code.unknownRecord.word) == true
            let waits = reply.state == .held || (reply.state == .quarantined && !isEarly)
            if waits, let failure = EditOutcome(reply, nil).failure { throw failure }
        }
    }

    /// So many edits of one command are always asked for, more of them as long as that takes no time to speak of.
    private static let mostChecked = 16
    private static let checkPatience = Duration.seconds(1)

    private func reply(_ edit: JournalEdit, _ wait: Duration, onlyRead: Bool = false) async throws -> EditReply {
        do {
            return try await client.get(
                "\(ControlRoute.edits)/\(edit.collection)/\(edit.id.text)",
                ["op": edit.opID, "wait": wait.secondsText, "read": String(onlyRead)], wait: wait)
        } catch var failure as CommandFailure {
            failure.message =
                "the edit is in the journal, but nobody can say whether the remote has it: \(failure.message)"
            throw failure
        }
    }
}

/// What an edit that was waited for has come to.
struct EditOutcome {
    let reply: EditReply
    /// How long; nil where the waiting ended before its time.
    let waited: Duration?

    init(_ reply: EditReply, _ waited: Duration?) {
        self.reply = reply
        self.waited = waited
    }

    /// Nil where the remote has it; else why not, what to do, and the code that scripts go by.
    var failure: CommandFailure? {
        let reason = reply.reason.map { ": \($0)" } ?? ""
        switch reply.state {
        case .confirmed: return nil
        case .held:
            let hold = reply.hold.map { " \($0)" } ?? ""
            return CommandFailure(
                .notAllowed,
                "the edit is in the journal, but hold\(hold) keeps it\(reason)"
                    + "; 'moviesync holds' shows it, 'moviesync approve\(hold)' or 'reject\(hold)' decides")
        case .quarantined:
            let item = reply.item.map { " \($0)" } ?? ""
            let isAskedAgain = reply.reason?.hasPrefix(Defect.Code.refusedByCheck.word) == true
            let other =
                isAskedAgain ? "; or 'moviesync quarantine retry\(item)', once the check would let it through" : ""
            return CommandFailure(
                .badData,
                "the edit is in quarantine, as item\(item)\(reason)"
                    + "; 'moviesync quarantine drop\(item)', then edit again as it should be\(other)")
        case .dropped: return CommandFailure(.badData, "the edit was dropped\(reason)")
        case .refused:
            guard let item = reply.item else { return CommandFailure(.badData, "the edit was refused\(reason)") }
            return CommandFailure(
                .badData,
                "the remote does not have the edit, because of item \(item) of the quarantine\(reason)"
                    + "; 'moviesync quarantine show \(item)' shows it")
        case .unread, .pending:
            let had = waited.map { "did not have it after \($0.roundedText) s" } ?? "does not have it"
            return CommandFailure(.tryAgain, "the edit is in the journal, but the remote \(had)\(reason)")
        }
    }
}
