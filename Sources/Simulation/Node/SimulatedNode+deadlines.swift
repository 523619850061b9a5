internal import LocalStore
internal import SyncCore
internal import SyncModel

/// What time alone ends.
extension SimulatedNode {
    /// Looks at the deadlines soon: something that has one may have come, or the clock was set.
    func watchDeadlines() {
        guard !isLookingAtDeadlines else { return }
        isLookingAtDeadlines = true
        let life = epoch
        timeline.after(5) { [self] in
            guard epoch == life else { return }
            isLookingAtDeadlines = false
            endWhatIsDue()
        }
    }

    private func endWhatIsDue() {
        let applier = applier
        guard let due = commit({ try deadlines.next(of: [world.rules.id], applier.time, in: $0) }) else { return }
        deadlines = due
        if due.isHoldDue {
            let held = glimpse.held
            _ = commit { try Deadlines.expire(in: $0, applier) }
            noteDeletes(among: held)
        }
        if !due.readable.isEmpty { take([.readAgain(due.readable.map(\.id))]) }
        guard let wait = due.wait else { return }
        let life = epoch
        timeline.after(wait) { [self] in
            if epoch == life { watchDeadlines() }
        }
    }
}
