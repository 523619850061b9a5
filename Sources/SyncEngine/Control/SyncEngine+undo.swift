package import ControlAPI
internal import JSONText
internal import LocalStore
internal import Logging
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// What was changed in a span of time, taken back as new edits.
extension SyncEngine {
    package func undo(_ order: UndoOrder) async throws -> UndoReply {
        if context.status.current.holds.contains(where: { $0.kind == .clockWrong }) {
            throw ControlError(
                409, "clockWrong", "nothing can be stamped while the clock is wrong: decide that hold first")
        }
        var undo = try Undo(order, now: context.wall)
        let keys: [UndoSpan.Changed]
        let kept: UInt64?
        (undo, keys, kept) = try await context.store.read { [undo] transaction in
            var undo = undo
            try undo.find { try transaction.authors(from: $0.since, until: $0.until) }
            let keys = try transaction.changedKeys(from: undo.span.since, until: undo.span.until)
            return (undo, keys, try transaction.changesKeptSince())
        }
        var reply = UndoReply(
            dryRun: undo.dryRun, since: order.since, until: Moment(milliseconds: undo.span.until))
        if let kept, kept > undo.span.since, try await context.store.read({ try $0.changeBounds()?.first ?? 1 }) > 1 {
            reply.keptSince = Moment(milliseconds: kept)
        }
        // What is only tried tells itself at its end what would be too much.
        let isBraked = undo.dryRun ? [] : try await braked(undo, keys)
        var deletes: [CollectionID: [RecordID]] = [:]
        for start in stride(from: 0, to: keys.count, by: Undo.batch) {
            let batch = try await carryOut(
                undo, Array(keys[start..<min(keys.count, start + Undo.batch)]), isBraked)
            reply.add(batch)
            deletes.merge(batch.deletes, uniquingKeysWith: +)
        }
        let waiting = undo.dryRun ? try await tooMany(deletes, undo) : isBraked
        reply.waiting = waiting.reduce(0) { $0 + (deletes[$1]?.count ?? 0) }
        if undo.dryRun { return reply }
        reply.done = reply.waiting == 0
        context.logger.notice(
            "Changes were taken back",
            metadata: [
                "event": "changes.undone", "since": "\(reply.since)", "until": "\(reply.until)",
                "records": "\(reply.count)", "left": "\(reply.leftCount)",
            ])
        return reply
    }

    /// The collections of which too much would be deleted at once.
    private func braked(_ undo: Undo, _ keys: [UndoSpan.Changed]) async throws -> Set<CollectionID> {
        guard !undo.yes else { return [] }
        let applier = context.applier
        return try await tooMany(
            try await context.store.read { try undo.span.deletes(among: keys, in: $0, applier) }, undo)
    }

    /// The collections of which these would be too many; what is done, and not only tried, counts from now on.
    private func tooMany(_ deletes: [CollectionID: [RecordID]], _ undo: Undo) async throws -> Set<CollectionID> {
        guard !undo.yes else { return [] }
        let (wall, monotonic) = (context.wall, context.clock.monotonic())
        let pace = journal.machine.withLock { $0.deletes }
        if undo.dryRun {
            return try await context.store.read {
                var pace = pace
                return try pace.braked(deletes, wall: wall, monotonic: monotonic, in: Rehearsal(over: $0))
            }
        }
        let counted = try await context.commit {
            var pace = pace
            return (tooMany: try pace.braked(deletes, wall: wall, monotonic: monotonic, in: $0), pace: pace)
        }
        // Whoever has deleted meanwhile finds that the book says something else.
        journal.machine.withLock { $0.deletes = counted.pace }
        return counted.tooMany
    }

    private func carryOut(
        _ undo: Undo, _ keys: [UndoSpan.Changed], _ isBraked: Set<CollectionID>
    ) async throws -> Undo.Batch {
        let applier = context.applier
        @Sendable func work(_ transaction: Transaction) throws -> Undo.Batch {
            var batch = Undo.Batch()
            var plans: [(key: RecordKey, plan: UndoPlan)] = []
            for changed in keys {
                let (key, plan) = (changed.key, try undo.span.plan(changed, in: transaction, applier))
                let isHeld = plan.deletes && isBraked.contains(key.collection)
                let titleField = applier.rules(key.collection)?.titleField ?? ""
                try batch.note(
                    plan, key, isHeld: isHeld, HeldState(try transaction.record(key).state).title(titleField))
                plans.append((key, plan))
            }
            if undo.dryRun { return batch }
            batch.holds = try transaction.carryOut(plans, holdingDeletesOf: isBraked, applier)
            return batch
        }
        return undo.dryRun ? try await context.store.read(work) : try await context.commit(work)
    }
}
