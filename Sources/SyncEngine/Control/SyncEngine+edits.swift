package import ControlAPI
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What has become of a line of the journal.
extension SyncEngine {
    package func edit(
        _ opID: String, of id: String, in collection: String, timeout: Duration, onlyRead: Bool
    ) async throws -> EditReply {
        guard let record = RecordID(id) else { throw ControlError.badRequest("badID", "'\(id)' is not a UUID") }
        // What was read of a collection that is not enabled any more has become something, too.
        guard let name = CollectionID(collection) else { throw ControlError.unknownCollection(collection) }
        let key = RecordKey(name, record)
        let deadline = ContinuousClock.now + timeout
        await journal.catchUp(timeout: timeout)
        let progress = context.status.waiters.watch()
        while true {
            let reply = try await context.store.read { [self] in try whatBecame(of: opID, key, in: $0) }
            if reply.reply.state == .unread { _ = try known(collection) }
            let left = ContinuousClock.now.duration(to: deadline)
            let isDone = reply.isFinal || (onlyRead && reply.reply.state != .unread)
            if isDone || left <= .zero { return reply.reply }
            try Task.checkCancellation()
            await progress.wait(for: min(left, .milliseconds(500)))
        }
    }

    private func whatBecame(
        of opID: String, _ key: RecordKey, in transaction: Transaction
    ) throws -> (reply: EditReply, isFinal: Bool) {
        let stored = try transaction.record(key)
        let items = try transaction.quarantined(collection: key.collection, record: key.id.description)
        let held = try transaction.held(key)
        let line = items.first { $0.source == .journal && $0.isLine(opID) }
        let mark = OperationMark(opID)
        let noted = try transaction.noted([mark, mark.waited])
        var evidence = EditFate.Evidence(isTaken: noted.contains(mark), pending: stored.pending)
        evidence.hasWaited = noted.contains(mark.waited)
        evidence.item = line?.number
        evidence.lacksRecord = line?.defect.code == .unknownRecord
        evidence.hasReadAll = hasReadAll(of: key.collection)
        evidence.hold = held.first { $0.isLine(opID) }?.hold
        evidence.recordHold = held.first?.hold
        evidence.refusal = try transaction.blocking(stored.state).last?.number
        evidence.collectionHold = try transaction.holdStopping(key.collection)?.number
        evidence.journalHold = try transaction.holdStoppingJournal()?.number
        try noteDecisions(on: stored, &evidence, in: transaction)
        let fate = EditFate(evidence)
        var reply = EditReply(
            collection: key.collection.name, id: key.id.description, opID: opID, state: .unread)
        switch fate {
        case .unread(let hold): try reply.hold(hold, in: transaction)
        case .held(let hold): try reply.hold(hold, in: transaction)
        case .quarantined(let item), .early(let item): reply.set(.quarantined, try transaction.quarantined(item))
        case .refused(let item): reply.set(.refused, try item.flatMap { try transaction.quarantined($0) })
        case .dropped: reply.state = .dropped
        case .pending, .paused: reply.state = .pending
        case .confirmed, .confirmedOrGivenUp: reply.state = .confirmed
        }
        if reply.reason == nil { reply.reason = explanation(of: fate, stored) }
        return (reply, fate.isFinal)
    }

    /// Notes what people have decided that concerns a record, beside holds.
    private func noteDecisions(
        on stored: StoredRecord, _ evidence: inout EditFate.Evidence, in transaction: Transaction
    ) throws {
        let (key, paused) = (stored.state.key, context.status.current.paused)
        let needsPull = !evidence.hasReadAll || lacksKey(stored.state)
        let isEnabled = context.rules(key.collection) != nil
        evidence.isPaused = !isEnabled || paused.contains(.push) || (paused.contains(.pull) && needsPull)
        let givenUp = try transaction.givenUp(of: key)
        evidence.givenUp = givenUp.map { EditFate.GivenUp(number: $0.number, winner: $0.winner) }
        evidence.version = stored.state.version
    }

    private func explanation(of fate: EditFate, _ stored: StoredRecord) -> String? {
        switch fate {
        case .unread:
            let journal = context.status.current.journal
            return journal.lastError ?? journal.waitsFor
                ?? "the journal is read up to byte \(journal.offset) of \(journalEnd ?? 0)"
        case .dropped:
            return "it waited in the quarantine or in a hold, or was refused, and was dropped there: it has no effect"
        case .confirmedOrGivenUp(let conflict):
            return "but for what was in the version that the remote refused and was dropped here, conflict \(conflict)"
        case .pending, .paused: return reason(stored, nil)
        case .held, .quarantined, .early, .refused, .confirmed: return nil
        }
    }

    private func hasReadAll(of collection: CollectionID) -> Bool {
        collections.first { $0.id == collection }?.mayPush ?? false
    }
}

extension EditReply {
    fileprivate mutating func hold(_ number: Int64?, in transaction: Transaction) throws {
        guard let number, let hold = try transaction.hold(number) else { return }
        state = .held
        self.hold = number
        reason = "\(hold.word): \(hold.reason)"
    }

    fileprivate mutating func set(_ state: State, _ item: QuarantinedItem?) {
        self.state = state
        self.item = item?.number
        reason =
            item.map { "\($0.defect.code.word): \($0.defect.message)" }
            ?? "the remote refused this version, and it was given up: edit the record to try again"
    }
}

extension QuarantinedItem {
    fileprivate func isLine(_ opID: String) -> Bool { payload.flatMap(Operation.opID(of:)) == opID }
}

extension HeldRecord {
    fileprivate func isLine(_ opID: String) -> Bool { payload.flatMap(Operation.opID(of:)) == opID }
}

extension Operation {
    /// The `opID` of a line, where that is one.
    fileprivate static func opID(of line: [UInt8]) -> String? { try? JSONReader.members(line)["opID"]?.text }
}
