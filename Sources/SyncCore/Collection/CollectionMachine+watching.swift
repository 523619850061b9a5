internal import SyncModel

/// Until when a stream has told whatever apps wrote, and what follows for what is shown first after that.
///
/// What an app wrote is dated by when it was read. Where nothing was known of the record, and this node was edited without
/// seeing it, that would be above every edit that waited for it. It may have been written at any time since a stream was
/// last open, so the earliest of that counts: an edit that names a record is of what stands there.
extension CollectionMachine {
    private var watchedName: String { "watched.\(rules.id)" }

    mutating func loadWatched<Book>(_ step: inout Step<Book>) throws {
        watchedUntil = try step.book.text(watchedName).flatMap { UInt64($0) }
    }

    /// Up to now everything was shown; of what apps write that can only be said where all is pulled.
    mutating func noteWatched<Book>(_ step: inout Step<Book>) throws {
        guard settings.pull == .full else { return }
        let now = step.time.policy.serverNow
        watchedUntil = now
        try step.book.setText(watchedName, String(now))
    }

    /// Since when what is shown of a record may stand there, where this node's own edits wait for that; nil where it is dated
    /// by when it was read.
    func standsSince<Book>(_ state: RecordState, _ keyspace: Keyspace, _ step: inout Step<Book>) throws -> Stamp? {
        let isTold = settings.pull == .full ? streams[keyspace]?.phase == .live : !settings.keepsTombstones
        guard !isTold, try isAwaited(state, step.push.node, step.book) else { return nil }
        return Stamp(physical: max(watchedUntil ?? 0, 1), counter: 0, node: step.push.node)
    }

    /// Whether nothing was ever seen of a record, and this node has deleted it, or has updates that wait for it.
    private func isAwaited(_ state: RecordState, _ node: NodeID, _ book: some RecordBook) throws -> Bool {
        guard state.base == .unknown, state.tombstone == nil, state.known.fields == nil else { return false }
        if let deletion = state.known.deletion { return deletion.node == node }
        guard try book.anyQuarantined() else { return false }
        return try book.quarantined(collection: rules.id, record: state.key.id.description).contains {
            $0.defect.code == .unknownRecord
        }
    }
}
