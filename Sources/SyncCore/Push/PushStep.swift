package import SyncModel

/// The next request that brings the remote nearer to a record's version; at most one is in flight.
package enum PushStep: Hashable, Sendable {
    /// The remote holds what it should.
    case nothing
    /// The first attempt of a record nobody else can have: a batch without conditions.
    case insertInBatch
    /// By a batch in which the remote's rules compare what stands there.
    case guarded
    case write(WriteCondition)
    case writeTombstone(WriteCondition)
    case remove(etag: String)
    /// The ETag is not known: read and merge first, then decide again.
    case read
    case readTombstone
}

/// What a push step may rely on.
package struct PushContext: Hashable, Sendable {
    package var node: NodeID
    /// The number of this run of the daemon.
    package var run: Int64
    package var writeGuard: WriteGuard
    package var keepsTombstones: Bool
    /// Whether a stream tells at this moment what stands in the remote: only then nobody else can have a new random id.
    package var isWatching: Bool
    /// Whether that stream tells of what apps write, too.
    package var watchesApps: Bool

    package init(
        node: NodeID, run: Int64, writeGuard: WriteGuard, keepsTombstones: Bool, isWatching: Bool = true,
        watchesApps: Bool = true
    ) {
        self.node = node
        self.run = run
        self.writeGuard = writeGuard
        self.keepsTombstones = keepsTombstones
        self.isWatching = isWatching
        self.watchesApps = watchesApps
    }
}

extension RecordState {
    /// The next step of pushing this record, of which neither a hold nor the quarantine says anything.
    package func step(_ context: PushContext) -> PushStep {
        guard differs(keepsTombstones: context.keepsTombstones) else { return .nothing }
        if !context.watchesApps, isDeletedUnseen { return .read }
        if context.writeGuard == .rules {
            return guardedStep(context)
        }
        guard known.isLive || observed != nil else { return removalStep(context) }
        guard let remote else {
            let nobodyElse =
                context.isWatching && newInRun == context.run && key.id.isRandom && tombstone == nil
            return nobodyElse ? .insertInBatch : .write(.absent)
        }
        return remote.etag.map { .write(.matches(etag: $0)) } ?? .read
    }

    /// The remote's rules compare stamps: what an app has written has none, and below a record that keeps its stamp it looks to
    /// them like nothing. While no stream shows that, it is read before it is written over or removed, and has to be there as
    /// it was read.
    private func guardedStep(_ context: PushContext) -> PushStep {
        // One body without a stamp looks to them like any other.
        let isForeign = remote.map { $0.stamp == nil } ?? false
        // Nor do they see one in nothing: where no stream tells, only what nobody else can have written goes out unread.
        let isSeen = base != .unknown || context.watchesApps || newInRun == context.run
        if context.isWatching, !isForeign, isSeen { return .guarded }
        if base == .unknown { return .read }
        guard let remote else { return .guarded }
        guard let etag = remote.etag else { return .read }
        return known.isLive || observed != nil ? .write(.matches(etag: etag)) : removalStep(context)
    }

    /// Whether nobody has looked yet what stands there that was deleted.
    private var isDeletedUnseen: Bool {
        base == .unknown && known.fields == nil && tombstone == nil && known.deletion != nil
    }

    /// Whether it was deleted by its id before anything of it was seen, and its key is made of fields, which no id tells.
    package func lacksKey(_ template: KeyTemplate) -> Bool {
        template.isKeyed && remoteKey == nil && isDeletedUnseen
    }

    private func removalStep(_ context: PushContext) -> PushStep {
        if context.keepsTombstones, let deletion = known.deletion, tombstone.map({ $0.stamp < deletion }) ?? true {
            guard let tombstone else { return .writeTombstone(.absent) }
            return tombstone.etag.map { .writeTombstone(.matches(etag: $0)) } ?? .readTombstone
        }
        return remote?.etag.map { .remove(etag: $0) } ?? .read
    }

    /// Whether an app's write stands in the remote, and another node than this one is to stamp it first: the one that wrote
    /// the last stamped version (`docs/protocol.md` section 9).
    package func isForeignTurnOfOthers(_ node: NodeID) -> Bool {
        guard let remote, remote.stamp == nil, known.isLive || observed != nil else { return false }
        return remote.lastStamp?.node != node
    }
}
