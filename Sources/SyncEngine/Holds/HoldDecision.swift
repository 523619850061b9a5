internal import JSONText
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel

/// What approving or rejecting a hold does; both answers are edits stamped when decided.
struct HoldDecision: Sendable {
    let context: EngineContext
    let approved: Bool

    /// Decides the hold in `transaction`, and ends it.
    func decide(_ hold: Hold, in transaction: Transaction) throws {
        let held = try transaction.held(by: hold.number)
        try transaction.end(hold: hold.number)
        switch (hold.kind, hold.direction) {
        case (.journalRewritten, _): break
        case (.futureEdit, _), (.massDelete, .journal): try decideOperations(held, hold, transaction)
        default:
            for record in held { try decideDisappearance(record.key, transaction) }
        }
    }

    /// The remote's disappearance becomes a delete of ours, or our version is stamped anew and pushed.
    private func decideDisappearance(_ key: RecordKey, _ transaction: Transaction) throws {
        var stored = try transaction.record(key)
        let content = approved ? nil : stored.state.local?.content
        guard approved || content != nil else { return }
        let version = Version(content, transaction.clock.now(wall: context.wall()))
        let outcome = stored.state.edited(version)
        // The hold is there because the remote showed that it has the record no more.
        if !approved { stored.state.removed() }
        try writer(transaction).save(stored, outcome, origin: .decision)
    }

    private func decideOperations(_ held: [HeldRecord], _ hold: Hold, _ transaction: Transaction) throws {
        let applier = OperationApplier(
            transaction: transaction, time: context.time, run: context.store.run,
            keepsTombstones: context.remote.keepsTombstones, plugin: { [context] in context.plugin($0) })
        for record in held {
            guard let line = record.payload else { continue }
            do {
                let operation = try Operation(line: line[...])
                if approved || !isHeldItself(operation, hold) {
                    try applier.apply(operation, .decided, line: line, origin: .decision)
                } else {
                    try keepAnew(record.key, transaction)
                }
            } catch let defect as Defect {
                try record.quarantine(defect, in: transaction, now: context.wall())
            }
        }
    }

    /// Whether the operation is what the hold is about, or only waits behind it.
    private func isHeldItself(_ operation: Operation, _ hold: Hold) -> Bool {
        hold.kind == .massDelete ? operation.kind == .delete : operation.at.map { context.time.isFuture($0) } ?? false
    }

    private func keepAnew(_ key: RecordKey, _ transaction: Transaction) throws {
        var stored = try transaction.record(key)
        guard let content = stored.state.local?.content else { return }
        let outcome = stored.state.edited(Version(content, transaction.clock.now(wall: context.wall())))
        try writer(transaction).save(stored, outcome, origin: .decision)
    }

    private func writer(_ transaction: Transaction) -> RecordWriter {
        RecordWriter(
            transaction: transaction, keepsTombstones: context.remote.keepsTombstones, wall: context.wall())
    }
}

extension HeldRecord {
    /// Puts the operation that waited here into quarantine.
    fileprivate func quarantine(_ defect: Defect, in transaction: Transaction, now: UInt64) throws {
        var item = QuarantinedItem(.journal, defect, since: now)
        item.collection = key.collection
        item.record = key.id.description
        item.payload = payload
        try transaction.quarantine(item)
    }
}

/// Ends holds of edits from the future once time has caught up with them.
struct FutureEdits: Sendable {
    let context: EngineContext

    /// The moment, in milliseconds since 1970, at which the next hold ends by itself; nil where none does.
    var next: UInt64? { context.status.current.holds.compactMap(\.until).min() }

    /// Applies what time has caught up with, with the time each operation was made at.
    func release() async throws {
        let now = context.wall()
        try await context.commit { transaction in
            for hold in try transaction.holds() where hold.until.map({ $0 <= now }) ?? false {
                try self.release(hold, in: transaction)
            }
        }
    }

    private func release(_ hold: Hold, in transaction: Transaction) throws {
        let held = try transaction.held(by: hold.number)
        try transaction.end(hold: hold.number)
        let applier = OperationApplier(
            transaction: transaction, time: context.time, run: context.store.run,
            keepsTombstones: context.remote.keepsTombstones, plugin: { [context] in context.plugin($0) })
        for record in held {
            guard let line = record.payload, var operation = try? Operation(line: line[...]) else { continue }
            operation.opID = nil
            let origin = StampPolicy.Origin.backlog(modified: context.wall())
            do {
                try applier.apply(operation, .line(origin), line: line, origin: .journal)
            } catch let defect as Defect {
                try record.quarantine(defect, in: transaction, now: context.wall())
            }
        }
    }
}
