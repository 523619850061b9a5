package import ControlAPI
internal import LocalStore
internal import Logging
internal import SyncCore
internal import SyncModel

/// Holds: what waits, what each answer would do, and the answers.
extension SyncEngine {
    package func holds() async throws -> [HoldReply] {
        try await context.store.read { [context, journal, journalPreview] transaction in
            try transaction.holds().map { hold in
                var reply = HoldReply(hold)
                reply.count = hold.count
                reply.records = try transaction.heldKeys(by: hold.number, limit: ControlRoute.maxNamed).map {
                    try transaction.heldReply($0, of: hold, context)
                }
                if let objection = context.objection(toApproving: hold) { reply.approvalIsRefused(objection) }
                if reply.count == 0, hold.kind?.rule.stopsJournal == true,
                    let changes = try journalPreview.changes(of: hold, in: transaction, of: journal)
                {
                    reply.count = changes.approved.count
                    reply.records = changes.approved.whenApproved { key in
                        if let what = changes.rejected?.what(of: key) { return "it is \(what)" }
                        let held = HeldState(RecordState(key))
                        return hold.kind?.rule.effect(approved: false, on: held, of: hold) ?? ""
                    }
                }
                return reply
            }
        }
    }

    package func approve(hold id: Int64, dryRun: Bool) async throws -> DecisionReply {
        try await decide(id, approved: true, dryRun: dryRun)
    }

    package func reject(hold id: Int64, dryRun: Bool) async throws -> DecisionReply {
        try await decide(id, approved: false, dryRun: dryRun)
    }

    private struct Decided: Sendable {
        var hold: Hold
        var effect: HoldEffect
        var reply: DecisionReply
    }

    private func decide(_ id: Int64, approved: Bool, dryRun: Bool) async throws -> DecisionReply {
        if dryRun {
            return try await context.store.read { [self] transaction in
                let book = try Rehearsal(over: transaction)
                return try decide(id, approved: approved, in: book, of: transaction, dryRun: true).reply
            }
        }
        let decided = try await context.commit { [self] transaction in
            let decided = try decide(id, approved: approved, in: transaction, of: transaction, dryRun: false)
            if case .journal(let answer) = decided.effect { try JournalIngest.Course.goOn(as: answer, in: transaction) }
            return decided
        }
        try await carryOut(decided.effect)
        context.logger.notice(
            "A hold was decided",
            metadata: [
                "event": "hold.decided", "hold": "\(id)", "kind": "\(decided.hold.word)",
                "decision": approved ? "approved" : "rejected",
            ])
        return decided.reply
    }

    /// - Parameter book: the transaction, or a rehearsal over it.
    private func decide(
        _ id: Int64, approved: Bool, in book: some RecordBook, of transaction: Transaction, dryRun: Bool
    ) throws -> Decided {
        guard let hold = try transaction.hold(id) else { throw ControlError.unknownHold(id) }
        if approved, let objection = context.objection(toApproving: hold) { throw objection }
        if approved, hold.kind == .sessionEnded, let person = hold.person,
            context.people.book.session(writingFor: person) == nil
        {
            throw ControlError.notSignedIn(person)
        }
        let rule = try hold.rule()
        var changes = try HoldChanges(of: hold, approved: approved, in: transaction, context)
        let effect = try HoldDecision.decide(hold, rule, approved: approved, in: book, context.applier)
        let readsJournal = approved ? rule.stopsJournal : rule.isReadOnAfterRejection
        if dryRun, changes.isEmpty, readsJournal {
            changes = try journal.changes(
                byReadingJournalFor: hold, approved: approved, in: book, over: transaction)
        } else {
            try changes.compare(with: book)
        }
        let line = approved ? rule.approval(of: hold) : rule.rejection(of: hold)
        return Decided(hold: hold, effect: effect, reply: changes.reply(dryRun: dryRun, effect: line))
    }

    private func carryOut(_ effect: HoldEffect) async throws {
        switch effect {
        case .none: break
        case .journal(let answer): journal.decided(answer)
        case .readAgain(let keys): readAgain(keys)
        case .absenceApproved(let id): collections.first { $0.id == id }?.tell(.absenceApproved)
        case .signOut(let person): try await signOut(uid: person)
        case .tryAgain(let person): try await tryAgain(uid: person)
        }
    }

    /// These entries of the remote are read again, and dealt with by the ordinary rules.
    func readAgain(_ keys: [RecordKey]) {
        for collection in collections {
            let ids = keys.filter { $0.collection == collection.id }.map(\.id)
            if !ids.isEmpty { collection.tell(.readAgain(ids)) }
        }
    }
}

extension EngineContext {
    /// Why a hold can't be approved as the daemon is configured: what is approved is to happen.
    fileprivate func objection(toApproving hold: Hold) -> ControlError? {
        guard let collection = hold.collection, rules(collection) == nil else { return nil }
        return .notEnabled(collection)
    }
}

extension HoldReply {
    fileprivate mutating func approvalIsRefused(_ objection: ControlError) {
        approve = "is refused: \(objection)"
        for place in (records ?? []).indices {
            records?[place].what.approve = "nothing"
            if direction == Direction.journal.rawValue {
                records?[place].what.reject = "what waits goes to quarantine, until the collection is enabled"
            }
        }
    }
}

extension ControlError {
    fileprivate static func notSignedIn(_ person: String) -> ControlError {
        ControlError(
            409, "notSignedIn",
            "nobody has signed in here as \(person), in whose name this waits: 'moviesync login', or reject the hold")
    }
}

extension Transaction {
    /// One record that a hold names, with what waits there.
    func heldState(_ key: RecordKey, of hold: Hold, _ context: EngineContext) throws -> HeldState {
        let held = try held(key).filter { $0.hold == hold.number }
        return try HeldState(record(key).state, held: held, in: self, context.applier)
    }

    fileprivate func heldReply(_ key: RecordKey, of hold: Hold, _ context: EngineContext) throws -> HeldRecordReply {
        let held = try heldState(key, of: hold, context)
        func words(_ approved: Bool) -> String {
            hold.kind?.rule.effect(approved: approved, on: held, of: hold) ?? ""
        }
        return HeldRecordReply(
            collection: key.collection.name, id: key.id.description,
            title: held.title(context.rules(key.collection)?.titleField ?? ""),
            what: .init(approve: words(true), reject: words(false)))
    }
}
