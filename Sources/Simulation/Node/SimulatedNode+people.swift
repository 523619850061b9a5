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
        let done = commit { transaction -> Undone in
            let plans = try transaction.changedKeys(from: from, until: until).map { key, last in
                (key: key, plan: try undoPlan(key, endingWith: last, from: from, in: transaction))
            }
            var pace = journalMachine.deletes
            let isAdmitted = try pace.admit(
                plans.filter(\.plan.deletes).map(\.key.id), of: world.rules.id, wall: wall, monotonic: monotonic,
                in: transaction)
            _ = try transaction.carryOut(plans, holdingDeletesOf: isAdmitted ? [] : [world.rules.id], applier)
            let edited = plans.filter { $0.plan.edit != nil && ($0.plan.deletes ? isAdmitted : true) }
            let stamps = try edited.map { (id: $0.key.id, stamp: try transaction.record($0.key).state.stamp) }
            return Undone(deletes: edited.count(where: \.plan.deletes), stamps: stamps, pace: pace)
        }
        guard let done else { return }
        journalMachine.deletes = done.pace
        for _ in 0..<done.deletes { world.checks.noteDelete(by: index, at: timeline.now) }
        for case (let id, let stamp?) in done.stamps { world.history.kept(id, at: stamp) }
    }

    private struct Undone {
        var deletes: Int
        /// Those of what was changed.
        var stamps: [(id: RecordID, stamp: Stamp?)]
        var pace: OwnDeletes
    }

    private func undoPlan(
        _ key: RecordKey, endingWith last: Int64, from: UInt64, in transaction: Transaction
    ) throws -> UndoPlan {
        let state = try transaction.record(key).state
        if try transaction.isHeld(key) { return UndoPlan(leaving: state.view?.fields) }
        let changes = try transaction.changes(of: key, endingWith: last, limit: 1000).filter { from <= $0.at }
        return UndoPlan(state, without: changes.reversed(), by: { _ in true }, world.rules.merge)
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
