package import SyncModel

/// The next request that brings the remote nearer to a record's version; at most one is in flight.
package enum PushStep: Hashable, Sendable {
    /// The remote holds what it should.
    case nothing
    /// The record's version was refused or is held.
    case blocked
    /// The first attempt of a record nobody else can have: a batch without conditions.
    case insertInBatch
    case write(WriteIf)
    case writeTombstone(WriteIf)
    case remove(etag: String)
    /// The ETag is not known: read and merge first, then decide again.
    case read
    case readTombstone

    package enum WriteIf: Hashable, Sendable {
        case absent
        case matches(etag: String)
    }
}

/// What the push may rely on.
package struct PushContext: Hashable, Sendable {
    /// The number of this run of the daemon.
    package var run: Int64
    /// The collection's snapshot of this run was empty.
    package var emptyAtStart: Bool
    package var keepsTombstones: Bool

    package init(run: Int64, emptyAtStart: Bool, keepsTombstones: Bool) {
        self.run = run
        self.emptyAtStart = emptyAtStart
        self.keepsTombstones = keepsTombstones
    }
}

extension RecordState {
    /// Whether the remote does not yet hold what this node does: (stamp, hash) above that of the base.
    package func pending(keepsTombstones: Bool) -> Bool {
        guard let local else { return false }
        guard local.deleted else {
            guard let node else { return true }
            guard let stamp = node.stamp else {
                // An edit that lost to a provisional version is settled only by a stamp that the remote carries.
                return node.content.hash != local.hash || (provisional && (node.hasBeenStamped || kept != nil))
            }
            return local.beats(Version(node.content, stamp))
        }
        return node != nil || (keepsTombstones && needsTombstone(local))
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
            return node?.etag.map { .remove(etag: $0) } ?? .read
        }
        guard let node else {
            let nobodyElse = (fresh == context.run && key.id.isRandom) || context.emptyAtStart
            return nobodyElse && fresh == context.run && tombstone == nil ? .insertInBatch : .write(.absent)
        }
        return node.etag.map { .write(.matches(etag: $0)) } ?? .read
    }

    /// The remote answered that it holds `version` now.
    ///
    /// An edit that was kept because it lost to a provisional version is compared with the stamp that one has now: it
    /// wins after all, or goes to the ledger.
    package mutating func acknowledged(_ version: Version, etag: String?, key: String?) -> Outcome {
        guard let content = version.content else { return Outcome() }
        base = .present(RemoteSnapshot(stamp: version.stamp, content: content, etag: etag, key: key))
        fresh = nil
        var outcome = Outcome()
        if provisional, local == version {
            replaceProvisional(with: version, outcome: &outcome)
            outcome.noteChange(from: version, to: local)
        }
        overProvisional = overProvisional && local?.stamp != version.stamp
        if !provisional { observed = nil }
        return outcome
    }

    /// A person gave up the version that the remote refused: what the remote holds counts again, or nothing does.
    ///
    /// - Parameter now: stamps the delete of a record that the remote never had.
    package mutating func refusedVersionDropped(now: Stamp) -> Outcome {
        var outcome = Outcome()
        guard let dropped = local, blocked == dropped.stamp else { return outcome }
        if let node {
            local = Version(node.content, node.stamp ?? dropped.stamp)
        } else {
            local = Version(nil, now)
            ownStamp = now
        }
        blocked = nil
        if let local { outcome.noteConflict(winner: local, loser: dropped, rule: .dropped) }
        outcome.noteChange(from: dropped, to: local)
        return outcome
    }

    /// The remote answered that the record's node is gone.
    package mutating func removed() {
        base = .absent
        fresh = nil
    }

    /// Nobody knows whether the first attempt was carried out: from now on only conditional writes.
    package mutating func attempted() { fresh = nil }
}
