internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What time alone ends.
extension SimulatedNode {
    /// Asks to be woken when a hold, or an entry from the future, ends by itself.
    func watchDeadlines() {
        guard let due = glimpse.deadlines.map({ $0.until(policy) }).min() else {
            deadlineAt = nil
            return
        }
        let wait = min(max(due, wall) - wall + 5, 600_000)
        guard deadlineAt.map({ $0 > timeline.now + wait || $0 <= timeline.now }) ?? true else { return }
        let moment = timeline.now + wait
        deadlineAt = moment
        let life = epoch
        timeline.after(wait) { [self] in
            guard epoch == life, deadlineAt == moment else { return }
            deadlineAt = nil
            endWhatIsDue()
        }
    }

    private func endWhatIsDue() {
        let applier = applier
        let now = applier.time.wall
        let due = glimpse.deadlines.filter { $0.until(applier.time) <= now }
        _ = commit { transaction in
            for hold in try transaction.holds() where hold.until.map({ $0 <= now }) ?? false {
                try HoldDecision.expire(hold, in: transaction, applier)
            }
        }
        let ids = due.compactMap(\.record)
        if !ids.isEmpty { take([.readAgain(ids)]) }
        watchDeadlines()
    }
}
