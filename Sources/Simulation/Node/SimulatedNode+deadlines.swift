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

    /// Looks now and then whether something in quarantine is to be tried once more.
    func watchQuarantine() {
        guard !isWatchingQuarantine, glimpse.counts.quarantined > 0 else { return }
        isWatchingQuarantine = true
        let life = epoch
        timeline.after(Retrial.pause) { [self] in
            guard epoch == life else { return }
            isWatchingQuarantine = false
            retryQuarantined(because: .due(now: wall))
            watchQuarantine()
        }
    }

    private func retryQuarantined(because reason: Retrial) {
        let applier = applier
        let retried = commit { transaction in
            try transaction.retry(transaction.quarantined(after: 0, limit: 1000), because: reason, applier)
        }
        guard let retried, !retried.isEmpty else { return }
        take(CollectionMachine.Input.rereading(retried, of: world.rules.id))
    }
}
