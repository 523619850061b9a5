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
        let looked = commit { [deadlines] book in
            var due = deadlines
            try due.look(at: [world.rules.id], applier.time, in: book)
            return due
        }
        guard let due = looked else { return }
        deadlines = due
        if due.isHoldDue { _ = commit { try Deadlines.expire(in: $0, applier) } }
        if !due.readable.isEmpty { take([.readAgain(due.readable.map(\.id))]) }
        guard let wait = due.wait else { return }
        let life = epoch
        timeline.after(wait) { [self] in
            if epoch == life { watchDeadlines() }
        }
    }
}
