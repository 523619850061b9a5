internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

extension SimulatedNode {
    typealias Course = JournalCourse<SimulatedJournal.Place>

    var applier: OperationApplier {
        let rules = world.rules
        return OperationApplier(
            time: policy, keepsTombstones: world.settings.keepsTombstones, rules: { $0 == rules.id ? rules : nil })
    }

    var moment: SimulatedJournal.Moment { SimulatedJournal.Moment(now: timeline.now, wall: wall) }

    private var keys: KeyTemplates { KeyTemplates { [key = world.rules.key] _ in key } }

    /// Notes what is there when reading begins, and was not written while anybody watched.
    func noteBacklog() {
        switch store.flatMap({ try? $0.writeNow { try Course.start(after: lastAnswer, in: $0) }.result.backlog }) {
        case .all: backlogEnd = journal.end
        case .asBefore, nil: break
        }
    }

    /// Reads what is complete, batch by batch, until nothing is left or something must be waited for.
    func readJournal() {
        while isUp, world.isSound {
            guard let isMore = commit({ transaction in try readBatch(in: transaction) }) else { return }
            if !isMore { return }
        }
    }

    /// The next batch and the position after it, in one transaction; false where there is none now.
    private func readBatch(in transaction: Transaction) throws -> Bool {
        let start = try Course.start(after: lastAnswer, in: transaction)
        guard !start.isHeld else { return false }
        if try !transaction.holds(of: .clockWrong).isEmpty, try waitForClocks(in: transaction) {
            return false
        }
        let place = start.place ?? SimulatedJournal.Place(file: 0, offset: 0)
        let (lines, next) = journal.lines(after: place, limit: world.batchSize)
        if journal.isRewritten(next) {
            try Course.rewritten("it is different now", present: journal.endOfLines, since: wall, in: transaction)
            world.history.foundRewritten(index)
            return false
        }
        guard !lines.isEmpty else {
            _ = try journalMachine.caughtUp(in: transaction)
            return false
        }
        if try waitForClocks(in: transaction) { return false }
        let isBacklog = place < backlogEnd
        var machine = journalMachine
        let origin = policy.origin(
            isBacklog: isBacklog, isReplayed: machine.isReplaying, modified: journal.modified.wall)
        var position = next
        if isMutated(.positionInsideLine) { position.offset -= 1 }
        let read = try machine.read(
            lines.map { JournalMachine.Line($0, keys) }, upTo: position, from: "journal", origin, monotonic: monotonic,
            in: transaction, applier)
        guard read != nil else { return false }
        try noteDeletes(in: lines, transaction)
        if isMutated(.stampOfUnknownForgotten) { try forgetStampsOfUnknown(in: transaction) }
        journalMachine = machine
        return true
    }

    /// Whether the clocks are too far from each other.
    private func waitForClocks(in transaction: Transaction) throws -> Bool {
        guard try ClockWrong.check(policy, serverIsKnown: serverIsKnown, in: transaction) else {
            looks = 0
            return false
        }
        probeLater()
        return true
    }

    private func noteDeletes(in lines: [SimulatedJournal.Line], _ transaction: Transaction) throws {
        for line in lines {
            guard let operation = try? Operation(line: line.text[...], keys: keys), operation.kind == .delete else {
                continue
            }
            world.checks.noteDelete(by: index, at: timeline.now)
            try noteDelete(of: operation.key, in: transaction)
        }
    }

    /// Of what is deleted already no reader hears that it is deleted once more, and later.
    private func noteDelete(of key: RecordKey, in transaction: Transaction) throws {
        let deletion = try transaction.record(key).state.known.deletion
        guard let deletion, deletion.node == transaction.clock.node else { return }
        world.history.deleted(key.id, at: deletion, now: timeline.now)
    }

    /// Lines that waited have deleted records, perhaps some that were deleted meanwhile.
    func noteDeletes(among held: [HeldRecord]) {
        let deletes = held.filter { entry in
            entry.payload.flatMap { try? Operation(line: $0[...], keys: keys) }?.kind == .delete
        }
        guard !deletes.isEmpty else { return }
        _ = commit { transaction in
            for entry in deletes { try noteDelete(of: entry.key, in: transaction) }
        }
    }

    /// Lines wait for the clocks to agree: an answer shows what time the server has now.
    private func probeLater() {
        guard !isProbing else { return }
        isProbing = true
        looks += 1
        let life = epoch
        timeline.after(UInt64(ClockWrong.pause(beforeLook: looks))) { [self] in
            guard epoch == life else { return }
            isProbing = false
            if looks > 0 { probe() }
        }
    }

    /// Whether there are complete lines that were not applied.
    var hasUnreadLines: Bool {
        guard let store else { return true }
        let place = try? store.writeNow { try Course.place(in: $0) }.result
        return !journal.lines(after: (place ?? nil) ?? .init(file: 0, offset: 0), limit: 1).lines.isEmpty
    }

    // MARK: A person's decisions

    /// Decides a hold, and does what follows from it.
    func decide(_ hold: Hold, approved: Bool) {
        guard let rule = hold.kind?.rule else { return }
        world.tell("node\(index): hold \(hold.word) \(approved ? "approved" : "rejected")")
        let (applier, held) = (applier, glimpse.held.filter { $0.hold == hold.number })
        if hold.kind == .journalRewritten, approved {
            world.history.readAgain(index, journal.modified, now: timeline.now)
        }
        isDeciding = true
        defer { isDeciding = false }
        let effect = commit { transaction -> HoldEffect in
            if approved, isMutated(.approvalEndsEdits) { try deleteAll(heldBy: hold, in: transaction) }
            guard try transaction.hold(hold.number) != nil else { return .none }
            let effect = try HoldDecision.decide(hold, rule, approved: approved, in: transaction, applier)
            if case .journal(let answer) = effect {
                try Course.goOn(as: answer, in: transaction)
                if isMutated(.rejectionSkipsLines) { try Course.reached(journal.endOfLines, in: transaction) }
            }
            return effect
        }
        noteDeletes(among: held)
        switch effect {
        case .journal(let answer)?:
            journal.rewriteIsDecided()
            lastAnswer = answer
            noteBacklog()
            readJournal()
        case .readAgain(let keys)?: take([.readAgain(keys.map(\.id))])
        case .absenceApproved?: take([.absenceApproved])
        case .some(.none), .signOut?, .tryAgain?, nil: break
        }
    }

    /// Tries everything in quarantine again.
    func retryQuarantined() {
        let applier = applier
        let items = commit { transaction in
            let items = try transaction.quarantined(after: 0, limit: 1000)
            try transaction.retry(items, isDecided: true, applier)
            return items
        }
        take(CollectionMachine.Input.rereading(items ?? [], of: world.rules.id))
    }
}

extension JournalMachine.Line {
    fileprivate convenience init(_ line: SimulatedJournal.Line, _ keys: KeyTemplates) {
        let operation = Result { () throws(Defect) in try Operation(line: line.text[...], keys: keys) }
        self.init(text: line.text[...], offset: UInt64(line.offset), length: line.length, operation: operation)
    }
}
