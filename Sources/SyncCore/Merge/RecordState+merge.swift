package import SyncModel

extension RecordState {
    /// Applies an edit made on this machine.
    ///
    /// The edit becomes the record's version where it is above what is there; else it goes to the ledger, and is kept
    /// where what it lost to is only provisional.
    package mutating func edited(_ version: Version) -> Outcome {
        var outcome = Outcome()
        let before = local
        ownStamp = max(ownStamp ?? version.stamp, version.stamp)
        if let current = local, !version.beats(current) {
            if current == version { return outcome }
            if provisional {
                shadowedEdit = shadowedEdit.map { .merged($0, version) } ?? version
            } else {
                outcome.noteConflict(winner: current, loser: version)
            }
            return outcome
        }
        if let lost = shadowedEdit { outcome.noteConflict(winner: version, loser: lost) }
        shadowedEdit = nil
        overProvisional = provisional || (overProvisional && !version.deleted)
        provisional = false
        local = version
        outcome.noteChange(from: before, to: local)
        return outcome
    }

    /// Compares a stamped version that the remote showed (or a delete derived from it) with what this node holds.
    ///
    /// Set ``base`` first: `previous` is what it was before, so that an old version is not taken for a conflict.
    package mutating func merged(
        stamped shown: Version, previous: Base, clock: inout HybridClock, wall: UInt64
    ) -> Outcome {
        var outcome = Outcome()
        let before = local
        defer { foreignStamp = nil }
        guard let mine = local else {
            local = shown
            outcome.noteChange(from: before, to: local)
            return outcome
        }
        if provisional {
            replaceProvisional(with: shown, outcome: &outcome)
        } else if overProvisional, !shown.deleted {
            overProvisional = false
            if shown.stamp >= mine.stamp {
                clock.receive(shown.stamp)
                let above = clock.now(wall: wall)
                local?.stamp = above
                ownStamp = above
            }
        } else if shown.beats(mine) {
            if mine.stamp == ownStamp, mine != shown, !wasSent(mine, previous) {
                outcome.noteConflict(winner: shown, loser: mine)
            }
            overProvisional = false
            local = shown
        } else if mine.beats(shown), mine.stamp == ownStamp, !wasSent(mine, previous), !wasShown(shown, previous),
            !isOwnEarlierEdit(shown, before: mine)
        {
            outcome.noteConflict(winner: mine, loser: shown)
        }
        outcome.noteChange(from: before, to: local)
        return outcome
    }

    /// The remote carries a stamp now, in place of the provisional one: it decides, against the tombstone too, and the
    /// edit that was kept is compared again.
    mutating func replaceProvisional(with shown: Version, outcome: inout Outcome) {
        provisional = false
        var winner = shown
        if let stamp = tombstone?.stamp, stamp > shown.stamp {
            winner = Version(nil, stamp)
            outcome.noteConflict(winner: winner, loser: shown)
        }
        if let edit = shadowedEdit {
            shadowedEdit = nil
            let rival = winner
            winner = edit.beats(rival) ? edit : rival
            outcome.noteConflict(winner: winner, loser: winner == edit ? rival : edit)
        }
        local = winner
    }

    private func wasSent(_ version: Version, _ previous: Base) -> Bool {
        guard case .present(let snapshot) = previous else {
            return version.deleted && tombstone?.stamp == version.stamp
        }
        return snapshot.stamp == version.stamp && snapshot.content.hash == version.hash
    }

    /// Whether this node made both, so that `mine` was made over `shown`: its write was sent before a crash, and the
    /// answer was not stored. A delete that only carries a successor's odd counter is an app's, not this node's.
    private func isOwnEarlierEdit(_ shown: Version, before mine: Version) -> Bool {
        shown.stamp.node == mine.stamp.node && !(shown.deleted && shown.stamp.counter % 2 == 1)
    }

    private func wasShown(_ version: Version, _ previous: Base) -> Bool {
        guard case .present(let snapshot) = previous else {
            return version.deleted && tombstone?.stamp == version.stamp
        }
        return snapshot.stamp == version.stamp || (version.deleted && snapshot.deletionStamp == version.stamp)
    }
}

extension RemoteSnapshot {
    /// The stamp that every node gives to the disappearance of what stood there; nil where it never had a stamp.
    package var deletionStamp: Stamp? { (stamp ?? lastStamp)?.successor }
}
