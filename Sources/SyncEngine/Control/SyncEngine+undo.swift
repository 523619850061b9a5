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
        var undo = try Undo(order, context)
        let (keys, authors, kept) = try await context.store.read { [undo] transaction in
            (
                try transaction.changedKeys(from: undo.since, until: undo.until),
                undo.isOfBeginning ? try transaction.authors(from: undo.since, until: undo.until) : [],
                try transaction.changesKeptSince()
            )
        }
        try undo.find(among: authors)
        var reply = UndoReply(
            dryRun: undo.dryRun, since: order.since, until: Moment(milliseconds: undo.until))
        if let kept, kept > undo.since, try await context.store.read({ try $0.changeBounds()?.first ?? 1 }) > 1 {
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
    private func braked(_ undo: Undo, _ keys: [(key: RecordKey, last: Int64)]) async throws -> Set<CollectionID> {
        guard !undo.yes else { return [] }
        let deletes = try await context.store.read { transaction in
            var deletes: [CollectionID: [RecordID]] = [:]
            for (key, last) in keys where try undo.plan(key, endingWith: last, in: transaction).deletes {
                deletes[key.collection, default: []].append(key.id)
            }
            return deletes
        }
        return try await tooMany(deletes, undo)
    }

    /// The collections of which these would be too many; what is done, and not only tried, counts from now on.
    private func tooMany(_ deletes: [CollectionID: [RecordID]], _ undo: Undo) async throws -> Set<CollectionID> {
        guard !undo.yes else { return [] }
        let (wall, monotonic) = (context.wall, context.clock.monotonic())
        let pace = journal.machine.withLock { $0.deletes }
        @Sendable func count(in book: some RecordBook) throws -> (tooMany: Set<CollectionID>, pace: OwnDeletes) {
            var pace = pace
            let tooMany = try deletes.filter { collection, ids in
                try !pace.admit(ids, of: collection, wall: wall, monotonic: monotonic, in: book)
            }
            return (Set(tooMany.keys), pace)
        }
        if undo.dryRun { return try await context.store.read { try count(in: Rehearsal(over: $0)).tooMany } }
        let counted = try await context.commit { try count(in: $0) }
        // Whoever has deleted meanwhile finds that the book says something else.
        journal.machine.withLock { $0.deletes = counted.pace }
        return counted.tooMany
    }

    private func carryOut(
        _ undo: Undo, _ keys: [(key: RecordKey, last: Int64)], _ isBraked: Set<CollectionID>
    ) async throws -> Undo.Batch {
        let context = context
        @Sendable func work(_ transaction: Transaction) throws -> Undo.Batch {
            var batch = Undo.Batch()
            var plans: [(key: RecordKey, plan: UndoPlan)] = []
            for (key, last) in keys {
                let plan = try undo.plan(key, endingWith: last, in: transaction)
                let isHeld = plan.deletes && isBraked.contains(key.collection)
                try batch.note(plan, key, isHeld: isHeld, try undo.title(key, in: transaction))
                plans.append((key, plan))
            }
            if undo.dryRun { return batch }
            batch.holds = try transaction.carryOut(plans, holdingDeletesOf: isBraked, context.applier)
            return batch
        }
        return undo.dryRun ? try await context.store.read(work) : try await context.commit(work)
    }
}
