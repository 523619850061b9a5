internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What people ask a node to do, beside deciding holds.
extension SimulatedNode {
    /// Takes back what was changed in the last so many milliseconds, whoever did it.
    func undo(since span: UInt64) {
        guard isUp, !glimpse.holds.contains(where: { $0.kind == .clockWrong }) else { return }
        world.tell("node\(index): undo of the last \(span) ms")
        let (applier, span) = (applier, UndoSpan(since: wall - min(span, wall), until: wall + 1))
        let done = commit { transaction -> Undone in
            let keys = try transaction.changedKeys(from: span.since, until: span.until)
            var pace = journalMachine.deletes
            let braked = try pace.braked(
                span.deletes(among: keys, in: transaction, applier), wall: wall, monotonic: monotonic, in: transaction)
            let plans = try keys.map { (key: $0.key, plan: try span.plan($0, in: transaction, applier)) }
            for case let (_, plan) in plans where plan.deletes { world.checks.noteDelete(by: index, at: timeline.now) }
            _ = try transaction.carryOut(plans, holdingDeletesOf: braked, applier)
            let edited = plans.filter { $0.plan.edit != nil && !($0.plan.deletes && !braked.isEmpty) }
            let stamps = try edited.map { (id: $0.key.id, stamp: try transaction.record($0.key).state.stamp) }
            return Undone(stamps: stamps, pace: pace)
        }
        guard let done else { return }
        journalMachine.deletes = done.pace
        for case (let id, let stamp?) in done.stamps { world.history.kept(id, at: stamp) }
    }

    private struct Undone {
        /// Those of what was changed.
        var stamps: [(id: RecordID, stamp: Stamp?)]
        var pace: OwnDeletes
    }

    /// Gives up what came first into the quarantine.
    func dropQuarantined() {
        let applier = applier
        world.checks.forgetSetAside(of: index)
        let dropped = commit { transaction -> QuarantinedItem? in
            guard let item = try transaction.quarantined(after: 0, limit: 1).first else { return nil }
            try transaction.drop(item, applier)
            return item
        }
        guard let item = dropped ?? nil else { return }
        world.tell("node\(index): drops \(item.record ?? "") (\(item.defect.code))")
        if let key = item.key, item.source == .push { world.history.givenUp(key.id, by: index, now: timeline.now) }
        if let line = item.payload { world.history.givenUp(String(decoding: line, as: UTF8.self), by: index) }
        take(CollectionMachine.Input.rereading([item], of: world.rules.id))
    }
}
