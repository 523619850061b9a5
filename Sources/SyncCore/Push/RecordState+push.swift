package import SyncModel

extension RecordState {
    /// Whether the remote does not yet hold what this node does: (stamp, hash) above that of the base.
    package func pending(keepsTombstones: Bool) -> Bool {
        guard let local else { return false }
        guard local.deleted else {
            guard let remote else { return true }
            guard let stamp = remote.stamp else {
                // An edit that lost to a provisional version is settled only by a stamp that the remote carries.
                return remote.content.hash != local.hash
                    || (provisional && (remote.hasBeenStamped || shadowedEdit != nil))
            }
            return local.beats(Version(remote.content, stamp))
        }
        return remote != nil || (keepsTombstones && needsTombstone(local))
    }

    private func needsTombstone(_ local: Version) -> Bool {
        tombstone.map { $0.stamp < local.stamp } ?? true
    }

    /// The next step of pushing this record.
    package func step(_ context: PushContext) -> PushStep {
        guard pending(keepsTombstones: context.keepsTombstones), let local else { return .nothing }
        if blocked == local.stamp { return .blocked }
        if local.deleted {
            if context.keepsTombstones, needsTombstone(local) {
                guard let tombstone else { return .writeTombstone(.absent) }
                return tombstone.etag.map { .writeTombstone(.matches(etag: $0)) } ?? .readTombstone
            }
            return remote?.etag.map { .remove(etag: $0) } ?? .read
        }
        guard let remote else {
            let nobodyElse = (newInRun == context.run && key.id.isRandom) || context.emptyAtStart
            return nobodyElse && newInRun == context.run && tombstone == nil ? .insertInBatch : .write(.absent)
        }
        return remote.etag.map { .write(.matches(etag: $0)) } ?? .read
    }

    /// The remote answered that it holds `version` now.
    ///
    /// An edit that was kept because it lost to a provisional version is compared with the stamp that one has now: it
    /// wins after all, or goes to the ledger.
    package mutating func acknowledged(_ version: Version, etag: String?, key: String?) -> Outcome {
        guard let content = version.content else { return Outcome() }
        base = .present(RemoteSnapshot(stamp: version.stamp, content: content, etag: etag, key: key))
        newInRun = nil
        var outcome = Outcome()
        if provisional, local == version {
            replaceProvisional(with: version, outcome: &outcome)
            outcome.noteChange(from: version, to: local)
        }
        overProvisional = overProvisional && local?.stamp != version.stamp
        if !provisional { foreignStamp = nil }
        return outcome
    }

    /// A person gave up the version that the remote refused: what the remote holds counts again, or nothing does.
    ///
    /// - Parameter now: stamps the delete of a record that the remote never had.
    package mutating func refusedVersionDropped(now: Stamp) -> Outcome {
        var outcome = Outcome()
        guard let dropped = local, blocked == dropped.stamp else { return outcome }
        if let remote {
            local = Version(remote.content, remote.stamp ?? dropped.stamp)
        } else {
            local = Version(nil, now)
            ownStamp = now
        }
        blocked = nil
        if let local { outcome.noteConflict(winner: local, loser: dropped, rule: .dropped) }
        outcome.noteChange(from: dropped, to: local)
        return outcome
    }

    /// The remote answered that the record is gone.
    package mutating func removed() {
        base = .absent
        newInRun = nil
    }

    /// Nobody knows whether the first attempt was carried out: from now on only conditional writes.
    package mutating func attempted() { newInRun = nil }
}
