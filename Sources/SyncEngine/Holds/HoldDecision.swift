internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// A hold at its end, with what it held: what its rule can do about it.
struct HoldDecision {
    let hold: Hold
    /// In the order it happened.
    let held: [HeldRecord]
    let transaction: Transaction
    let context: EngineContext

    /// Ends the hold in `transaction`, as a person has decided.
    ///
    /// - Throws: ``ControlError`` for a kind that this version does not know: then nothing is decided.
    static func decide(
        _ hold: Hold, approved: Bool, in transaction: Transaction, _ context: EngineContext
    ) throws -> HoldEffect {
        let rule = try hold.rule()
        let decision = try HoldDecision(ending: hold, in: transaction, context)
        return try approved ? rule.approve(decision) : rule.reject(decision)
    }

    /// Ends the hold in `transaction`, because its time has come; one that only a person ends stays.
    static func expire(_ hold: Hold, in transaction: Transaction, _ context: EngineContext) throws {
        guard let expire = hold.kind?.rule.expire else { return }
        try expire(try HoldDecision(ending: hold, in: transaction, context))
    }

    private init(ending hold: Hold, in transaction: Transaction, _ context: EngineContext) throws {
        self.hold = hold
        self.transaction = transaction
        self.context = context
        held = try transaction.held(by: hold.number)
        try transaction.end(hold: hold.number)
    }

    /// Deletes a record that is gone from the remote, here and everywhere; an edit made since then survives.
    func deleteMissing(_ key: RecordKey) throws {
        var stored = try transaction.record(key)
        let outcome = stored.state.disappearanceApproved(now: transaction.clock.now(wall: context.wall()))
        try context.writer(transaction).save(stored, outcome, origin: .decision)
    }

    /// Stamps this node's version anew, so that it is pushed; a delete stays what it is.
    ///
    /// - Parameter isMissing: the remote has shown that it has the record no more.
    func keep(_ key: RecordKey, isMissing: Bool = false) throws {
        var stored = try transaction.record(key)
        var outcome = Outcome()
        if let content = stored.state.local?.content {
            outcome = stored.state.edited(Version(content, transaction.clock.now(wall: context.wall())))
        }
        if isMissing { stored.state.removed() }
        try context.writer(transaction).save(stored, outcome, origin: .decision)
    }

    /// Applies the operations that waited, in their order; one that can't be applied goes to quarantine.
    ///
    /// - Parameter isRejected: of the record of such an operation this node's version is kept instead.
    func applyOperations(
        _ stamping: OperationApplier.Stamping, origin: Change.Origin,
        unless isRejected: (Operation) -> Bool = { _ in false }
    ) throws {
        let applier = context.applier(transaction)
        for record in held {
            guard let line = record.payload else { continue }
            do {
                var operation = try Operation(line: line[...])
                // It was noted when the operation was first read.
                operation.opID = nil
                if isRejected(operation) {
                    try keep(record.key)
                } else {
                    try applier.apply(operation, stamping, line: line, origin: origin)
                }
            } catch let defect as Defect {
                try quarantine(record, defect)
            }
        }
    }

    private func quarantine(_ record: HeldRecord, _ defect: Defect) throws {
        var item = QuarantinedItem(.journal, defect, since: context.wall())
        item.collection = record.key.collection
        item.record = record.key.id.description
        item.payload = record.payload
        try transaction.quarantine(item)
    }
}
