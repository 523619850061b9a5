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
        let (applier, from, until) = (applier, wall - min(span, wall), wall + 1)
        let done = commit { transaction -> (plans: [(key: RecordKey, plan: UndoPlan)], isHeld: Bool, OwnDeletes) in
            let plans = try transaction.changedKeys(from: from, until: until).map { key, last in
                (key: key, plan: try undoPlan(key, endingWith: last, from: from, in: transaction))
            }
            var pace = journalMachine.deletes
            let isAdmitted = try pace.admit(
                plans.filter(\.plan.deletes).map(\.key.id), of: world.rules.id, wall: wall, monotonic: monotonic,
                in: transaction)
            _ = try transaction.carryOut(plans, holdingDeletesOf: isAdmitted ? [] : [world.rules.id], applier)
            return (plans, !isAdmitted, pace)
        }
        guard let done else { return }
        journalMachine.deletes = done.2
        for (key, plan) in done.plans where plan.edit != nil && !(plan.deletes && done.isHeld) {
            if plan.deletes { world.checks.noteDelete(by: index, at: timeline.now) }
            if let stamp = stamp(of: key) { world.history.kept(key.id, at: stamp) }
        }
    }

    private func undoPlan(
        _ key: RecordKey, endingWith last: Int64, from: UInt64, in transaction: Transaction
    ) throws -> UndoPlan {
        let state = try transaction.record(key).state
        if try transaction.isHeld(key) { return UndoPlan(leaving: state.view?.fields) }
        let changes = try transaction.changes(of: key, endingWith: last, limit: 1000).filter { from <= $0.at }
        return UndoPlan(
            state.view?.fields, without: changes.reversed(), by: { _ in true },
            over: state.known.fields?.content.fields, world.rules.merge)
    }

    /// Gives up what came first into the quarantine.
    func dropQuarantined() {
        let applier = applier
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
