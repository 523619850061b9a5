internal import JSONText
package import SyncModel

/// A hold at its end, with what it held: what its rule can do about it.
package struct HoldDecision<Book: RecordBook> {
    package let hold: Hold
    /// In the order it happened.
    package let held: [HeldRecord]
    package let book: Book
    package let applier: OperationApplier

    /// Which time operations that waited get.
    enum Dating {
        /// That of the decision.
        case decided
        /// That at which each was made.
        case asMade
    }

    /// What becomes of an operation that a person rejects.
    enum Rejection {
        /// Nothing: it is as if it had never been there.
        case dropsOperation
        /// Its record stays as this node shows it (``HoldDecision/keep(_:isMissing:)``).
        case keepsRecord
    }

    /// Ends the hold in `book`, as a person has decided.
    package static func decide(
        _ hold: Hold, _ rule: any HoldRule, approved: Bool, in book: Book, _ applier: OperationApplier
    ) throws -> HoldEffect {
        let decision = try HoldDecision(ending: hold, in: book, applier)
        let effect = try approved ? rule.approve(decision) : rule.reject(decision)
        try decision.retryUnknownRecords()
        return effect
    }

    /// Ends the hold in `book`, because its time has come; one that only a person ends stays.
    package static func expire(_ hold: Hold, in book: Book, _ applier: OperationApplier) throws {
        guard let rule = hold.kind?.rule, rule.expires else { return }
        try rule.expire(try HoldDecision(ending: hold, in: book, applier))
    }

    private init(ending hold: Hold, in book: Book, _ applier: OperationApplier) throws {
        self.hold = hold
        self.book = book
        self.applier = applier
        held = try book.end(hold: hold.number) { applier.context($0) }
    }

    private var time: StampPolicy { applier.time }

    /// Updates in quarantine, of this decision or from before it, whose record is there by it.
    private func retryUnknownRecords() throws {
        guard try book.anyQuarantined() else { return }
        var seen: Set<RecordKey> = []
        for key in held.map(\.key) where seen.insert(key).inserted && applier.rules(key.collection) != nil {
            guard try book.record(key).state.view != nil else { continue }
            let items = try book.quarantined(collection: key.collection, record: key.id.description)
            try book.retry(items.filter { $0.defect.code == .unknownRecord }, applier)
        }
    }

    /// ``deleteMissing(_:)`` of all that is held.
    func deleteAllMissing() throws -> HoldEffect {
        for record in held { try deleteMissing(record.key) }
        return hold.collection.map { .absenceApproved($0) } ?? .none
    }

    /// Deletes a record that is gone from the remote, here and everywhere; an edit made since then survives.
    func deleteMissing(_ key: RecordKey) throws {
        try change(key) { state, clock, context in
            state.disappearanceApproved(at: clock.now(wall: context.wall), clock: &clock, context)
        }
    }

    /// The record stays as this node shows it, and is pushed; a delete stays what it is.
    ///
    /// - Parameter isMissing: the remote has shown that it has the record no more.
    func keep(_ key: RecordKey, isMissing: Bool = false) throws {
        try change(key) { state, clock, context in
            state.kept(at: time.now(over: state, &clock), clock: &clock, context)
            if isMissing { state.removed() }
            return Outcome()
        }
    }

    /// The record stays as this node shows it, over what an app has written in its place.
    func keep(_ key: RecordKey, over shown: Content) throws {
        try change(key) { state, clock, context in
            state.kept(over: shown, at: time.now(over: state, &clock), clock: &clock, context)
            state.base = .present(state.overwritten(with: shown, context.rules))
            return Outcome()
        }
    }

    /// What an app has written in the record's place is taken, but for what was edited here since.
    func take(_ record: HeldRecord, _ shown: Content) throws {
        try change(record.key) { state, clock, context in
            state.took(shown, since: record, clock: &clock, context)
        }
    }

    /// What an app has written in a record's place, read with care; nil where nobody can make a record of it.
    func read(_ shown: [UInt8], of key: RecordKey) -> Content? {
        let fields = try? applier.rules(key.collection)?.carefully(Content(canonicalText: shown).fields)
        return fields.map { Content(fields: $0) }
    }

    func change(
        _ key: RecordKey, _ change: (inout RecordState, inout HybridClock, StepContext) throws -> Outcome
    ) throws {
        try book.change(key, applier, change)
    }

    /// Applies the operations that waited, in their order; one that can't be applied goes to quarantine, and one of whose record
    /// an earlier one waits in another hold waits there. A delete was held for what there was then: a record that was edited
    /// since stays. What another line with its `opID` has done meanwhile, or is about to do, is not done a second time. What a
    /// person decides is about the first of a record's lines: one behind it that is from the future too waits for a decision
    /// of its own.
    ///
    /// - Parameter rejection: what is done instead; nil for what is applied.
    func applyOperations(
        _ dating: Dating, origin: Change.Origin,
        unless rejection: (HeldRecord, Operation) -> Rejection? = { _, _ in nil }
    ) throws {
        let editedSinceHeld = try editedSince(held)
        var others = try waitingElsewhere()
        let editedBefore = try editedSince(others.later)
        let lines = try WaitingLines(held, in: book, applier)
        // Where the lines' own time is their stamps, those decide.
        let spared = dating == .decided ? lines.deletes(among: editedSinceHeld) : []
        let corrected = lines.corrected { rejection($0, $1) == nil && !spared.contains($0.number) }
        var noted: [OperationMark] = []
        var seen: Set<RecordKey> = []
        // What was decided about a line holds for the one that takes its place.
        var decided: Set<OperationMark> = []
        for read in lines.all {
            let (record, line) = (read.record, read.text)
            let isFirst = seen.insert(record.key).inserted
            do {
                let operation = try read.operation.get()
                let mark = operation.opID.map { OperationMark($0) }
                if try book.isReplaced(mark) { continue }
                let rejection = rejection(record, operation)
                if rejection != nil || corrected.contains(record.number) {
                    if rejection == .keepsRecord { try keep(record.key) }
                    if let mark { noted += mark.dropped(line) }
                    if let mark, rejection == nil, isFirst, dating == .decided { decided.insert(mark) }
                    continue
                }
                let lastEdit = editedSinceHeld.contains(record.number) ? record.lastEdit : nil
                let isDecided = isFirst || mark.map(decided.contains) ?? false
                if try !isDecided && waits(record, operation, lastEdit, in: &others) { continue }
                // It may wait again, behind another one.
                let isSpared = spared.contains(record.number)
                let isDone = try isSpared || apply(operation, of: record, lastEdit, dating, origin, others)
                if isDone, let mark { noted.append(mark) }
            } catch let unknown as UnknownRecord {
                try quarantine(record, unknown.defect, unknown.stamp, dating)
            } catch let defect as Defect {
                try quarantine(record, defect, nil, dating)
            }
        }
        if !noted.isEmpty { try book.note(noted, time) }
        try letWait(others.later, editedBefore: editedBefore)
    }

    /// - Parameter lastEdit: of the record when the line began to wait, where it was edited since.
    /// - Returns: false where it waits again.
    private func apply(
        _ operation: Operation, of record: HeldRecord, _ lastEdit: Stamp?, _ dating: Dating, _ origin: Change.Origin,
        _ others: WaitingElsewhere
    ) throws -> Bool {
        if let hold = others.earlier[record.key] {
            let context = applier.context(record.key.collection)
            try book.attach(
                record.key, to: hold, payload: record.payload, source: record.source, lastEdit: lastEdit, context)
            return false
        }
        let stamping: OperationApplier.Stamping =
            dating == .decided ? .decided : .line(lineOrigin(of: record, operation))
        return try applier.apply(
            operation, stamping, line: (record.payload ?? [])[...], from: record.source, before: others.laterNumbers,
            origin: origin, in: book)
    }

    private func waitingElsewhere() throws -> WaitingElsewhere {
        var others = WaitingElsewhere()
        guard try book.anyHeld() else { return others }
        var done: Set<RecordKey> = []
        for record in held where record.payload != nil && done.insert(record.key).inserted {
            for line in try book.waitingLines(of: record.key) { others.note(line, beside: record) }
        }
        return others
    }

    /// Lets lines wait on behind what was decided: that is no edit which was made after they began to.
    ///
    /// - Parameter editedBefore: those whose records were edited since anyway.
    private func letWait(_ lines: [HeldRecord], editedBefore: Set<Int64>) throws {
        for var line in lines {
            if !editedBefore.contains(line.number) { line.lastEdit = try book.record(line.key).state.lastEdit }
            try book.replace(line)
        }
    }

    /// A line behind the one that was decided which is from the future itself raises a hold of its own, and what stands
    /// behind it waits there.
    ///
    /// - Parameter lastEdit: of the record when the line began to wait, where it was edited since.
    private func waits(
        _ record: HeldRecord, _ operation: Operation, _ lastEdit: Stamp?, in others: inout WaitingElsewhere
    ) throws -> Bool {
        guard others.earlier[record.key] == nil, let at = operation.at, time.isFuture(at) else { return false }
        others.earlier[record.key] = try FutureEdit.raise(
            for: operation, line: (record.payload ?? [])[...], from: record.source, lastEdit: lastEdit, time, in: book,
            applier.context(record.key.collection))
        return true
    }

    /// Where a line that waits stood when it was read, as far as its stamp is concerned. One that says its time has waited
    /// for that.
    private func lineOrigin(of record: HeldRecord, _ operation: Operation) -> StampPolicy.Origin {
        if let source = record.source, source.madeAt == nil, operation.at == nil { return .replayed }
        return .backlog(modified: record.source?.madeAt ?? time.serverNow)
    }

    /// What names a record that was edited after it began to wait.
    private func editedSince(_ records: [HeldRecord]) throws -> Set<Int64> {
        try Set(records.filter { try book.record($0.key).state.isEdited(since: $0) }.map(\.number))
    }

    /// - Parameter stamp: that of an update whose record is not there; it is tried again with it.
    private func quarantine(_ record: HeldRecord, _ defect: Defect, _ stamp: Stamp?, _ dating: Dating) throws {
        var item = QuarantinedItem(.journal, defect, since: time.wall)
        item.collection = record.key.collection
        item.record = record.key.id.description
        item.payload = record.payload
        (item.file, item.offset, item.length) = (record.source?.file, record.source?.offset, record.source?.length)
        item.madeAt = dating == .decided ? time.stampTime : record.source.map(\.madeAt) ?? time.serverNow
        item.stamp = stamp
        try book.quarantine(item, applier.context(record.key.collection))
    }
}

/// The lines that wait in other holds of the journal, of records that a hold names too.
private struct WaitingElsewhere {
    /// Where what was read before it waits.
    var earlier: [RecordKey: Int64] = [:]
    /// What was read after it, in the order of each record.
    private(set) var later: [HeldRecord] = []
    private(set) var laterNumbers: Set<Int64> = []

    /// - Parameter first: the first line of the record in the hold that is decided.
    mutating func note(_ line: HeldRecord, beside first: HeldRecord) {
        if line.number < first.number {
            earlier[line.key] = line.hold
        } else {
            later.append(line)
            laterNumbers.insert(line.number)
        }
    }
}
