internal import SyncModel

/// Until when a stream has told whatever apps wrote, and what follows for this node's own edits of what it has not seen.
///
/// What an app wrote is dated by when it was read. Where nothing was known of the record, that is above every edit that waited
/// for it, though the app may have written it long before. An edit that names a record is of what stands there: one that was
/// made since a stream was last open goes above what is read then. An older one may be of anything, also one that is read
/// again in a new state, and so is what an app writes after a stream has told that nothing was there.
extension CollectionMachine {
    private var watchedName: String { "watched.\(rules.id)" }

    mutating func loadWatched<Book>(_ step: inout Step<Book>) throws {
        watchedUntil =
            try step.book.time(watchedName) ?? step.book.timeOfNode(now: step.time.policy.stampTime)
    }

    /// Up to now everything was shown; of what apps write that can only be said where all is pulled, and not while something
    /// that was shown is still to be read: edits that wait for it would then lose their place over a restart.
    mutating func noteWatched<Book>(_ step: inout Step<Book>) throws {
        guard settings.pull == .full, !isAnyUnseenRead else { return }
        // An edit of this very millisecond was made before.
        watchedUntil = step.time.policy.stampTime + 1
        try step.book.setTime(watchedName, watchedUntil)
    }

    /// Whether the open stream of the records tells what apps write.
    var watchesApps: Bool { settings.pull == .full && streams[.records(rules.id)]?.phase == .live }

    /// Whether nobody tells under which key a record stands that was deleted here: to look for it under its id, where nothing
    /// ever is, would say that it is gone.
    func waitsForKey(_ state: RecordState) -> Bool { rules.key.isKeyed && !watchesApps && state.lacksKey(rules.key) }

    /// The stream of the records has shown what stands there: what had to wait for its key waits no more.
    mutating func queueWhatLackedKeys<Book>(_ step: inout Step<Book>) throws {
        guard rules.key.isKeyed else { return }
        for id in try step.book.pendingIDs(in: rules.id) { queue.append(id) }
    }

    /// From which time on this node's own edits that wait for a record are above what is shown of it for the first time, in
    /// milliseconds since 1970; nil where none is.
    func editsCountSince<Book>(_ state: RecordState, _ step: inout Step<Book>) throws -> UInt64? {
        let isTold = watchesApps || (settings.pull == .incremental && !settings.keepsTombstones)
        guard !isTold, try isAwaited(state, step.push.node, step.book) else { return nil }
        return min(watchedUntil, step.time.policy.stampTime)
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

extension RecordBook {
    private var timeOfNodeName: String { "timeOfNode" }

    /// Since when this node has its id, in milliseconds since 1970, or since when that is noted. Lines of the journal that are
    /// older were perhaps read before, by the node that this state was.
    @discardableResult
    func timeOfNode(now: UInt64) throws -> UInt64 {
        if let time = try time(timeOfNodeName) { return time }
        try setTime(timeOfNodeName, now)
        return now
    }

    /// A time that was noted under a name since this node has its id, in milliseconds since 1970.
    fileprivate func time(_ name: String) throws -> UInt64? {
        let words = try text(name)?.split(separator: " ") ?? []
        guard words.count == 2, words[0] == clock.node.description else { return nil }
        return UInt64(words[1])
    }

    fileprivate func setTime(_ name: String, _ time: UInt64) throws { try setText(name, "\(clock.node) \(time)") }
}
