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
                kept = kept.map { .merged($0, version) } ?? version
            } else {
                outcome.noteConflict(winner: current, loser: version)
            }
            return outcome
        }
        if let lost = kept { outcome.noteConflict(winner: version, loser: lost) }
        kept = nil
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
        stamped remote: Version, previous: Base, clock: inout HybridClock, wall: UInt64
    ) -> Outcome {
        var outcome = Outcome()
        let before = local
        defer { observed = nil }
        guard let mine = local else {
            local = remote
            outcome.noteChange(from: before, to: local)
            return outcome
        }
        if provisional {
            replaceProvisional(with: remote, outcome: &outcome)
        } else if overProvisional, !remote.deleted {
            overProvisional = false
            if remote.stamp >= mine.stamp {
                clock.receive(remote.stamp)
                let above = clock.now(wall: wall)
                local?.stamp = above
                ownStamp = above
            }
        } else if remote.beats(mine) {
            if mine.stamp == ownStamp, mine != remote, !wasSent(mine, previous) {
                outcome.noteConflict(winner: remote, loser: mine)
            }
            overProvisional = false
            local = remote
        } else if mine.beats(remote), mine.stamp == ownStamp, !wasSent(mine, previous), !showed(remote, previous),
            !isOwnEarlierEdit(remote, before: mine)
        {
            outcome.noteConflict(winner: mine, loser: remote)
        }
        outcome.noteChange(from: before, to: local)
        return outcome
    }

    /// The remote carries a stamp now, in place of the provisional one: it decides, against the tombstone too, and the
    /// edit that was kept is compared again.
    mutating func replaceProvisional(with remote: Version, outcome: inout Outcome) {
        provisional = false
        var winner = remote
        if let stamp = tombstone?.stamp, stamp > remote.stamp {
            winner = Version(nil, stamp)
            outcome.noteConflict(winner: winner, loser: remote)
        }
        if let edit = kept {
            kept = nil
            let rival = winner
            winner = edit.beats(rival) ? edit : rival
            outcome.noteConflict(winner: winner, loser: winner == edit ? rival : edit)
        }
        local = winner
    }

    private func wasSent(_ version: Version, _ previous: Base) -> Bool {
        guard case .present(let node) = previous else {
            return version.deleted && tombstone?.stamp == version.stamp
        }
        return node.stamp == version.stamp && node.content.hash == version.hash
    }

    /// Whether this node made both, so that `mine` was made over `remote`: its write was sent before a crash, and the
    /// answer was not stored. A delete that only carries a successor's odd counter is an app's, not this node's.
    private func isOwnEarlierEdit(_ remote: Version, before mine: Version) -> Bool {
        remote.stamp.node == mine.stamp.node && !(remote.deleted && remote.stamp.counter % 2 == 1)
    }

    private func showed(_ version: Version, _ previous: Base) -> Bool {
        guard case .present(let node) = previous else { return version.deleted && tombstone?.stamp == version.stamp }
        return node.stamp == version.stamp || (version.deleted && node.deletionStamp == version.stamp)
    }
}

extension RemoteSnapshot {
    /// The stamp that every node gives to the disappearance of this node; nil where no stamp ever stood there.
    package var deletionStamp: Stamp? { (stamp ?? lastStamp)?.successor }
}
