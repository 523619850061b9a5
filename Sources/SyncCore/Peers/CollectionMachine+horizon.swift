internal import SyncModel

/// The horizon: up to which stamp tombstones may have ended, and what follows from it (`docs/protocol.md` section 11).
extension CollectionMachine {
    /// A record that the remote does not have and whose stamps are not above this one may be deleted long ago.
    var horizon: Stamp? {
        if settings.keepsTombstones || remoteIsEmpty { return peers.horizon }
        return max(peers.horizon ?? .zero, .earliestKnownTime)
    }

    private var horizonName: String { "horizon.\(rules.id)" }

    /// What was known when the daemon ended.
    mutating func loadPeers<Book>(_ step: inout Step<Book>) throws {
        // The one of another place says nothing of this one.
        if hasMoved, settings.keepsTombstones { try step.book.setText(horizonName, "") }
        peers.horizon = try step.book.text(horizonName).flatMap { Stamp($0) }
        peers.applied = try step.book.appliedTombstones(of: rules.id)
        try findOldest(&step)
        try loadAnnouncement(&step)
        try loadTouch(&step)
    }

    /// A person, or another node, may have ended tombstones: the remote says up to which.
    mutating func askForHorizon<Book>(_ step: inout Step<Book>) {
        guard peers.wantsHorizon, !peers.asksHorizon, !paused.contains(.pull) else { return }
        peers.wantsHorizon = false
        peers.asksHorizon = true
        send(.askHorizon, .horizon(rules.id), &step)
    }

    /// The horizon was read; nil where none has been set, or this node may not know.
    mutating func heard<Book>(horizon found: Stamp?, _ step: inout Step<Book>) throws {
        peers.asksHorizon = false
        try noteMissed(found, &step)
        try note(horizon: found, &step)
        if peers.isAway { try rebuild(&step) }
        try lookForSetBack(&step)
        try settleUnshown(&step)
        guard !tombstonesMerged else { return }
        tombstonesMerged = true
        try retryUnknownRecords(&step)
    }

    /// The horizon only rises.
    mutating func note<Book>(horizon found: Stamp?, _ step: inout Step<Book>) throws {
        guard let found, found > peers.horizon ?? .zero, !step.time.policy.isFuture(found.physical) else { return }
        peers.horizon = found
        step.book.clock.receive(found)
        try step.book.setText(horizonName, found.description)
    }

    // MARK: Tombstones that are gone

    /// What was not shown of the tombstones, or was seen to disappear, has ended, or is written again.
    mutating func settleUnshown<Book>(_ step: inout Step<Book>) throws {
        try forgetUnshown(&step)
        try settleLost(&step)
    }

    private mutating func settleLost<Book>(_ step: inout Step<Book>) throws {
        for id in peers.lost.subtracting(inFlight).sorted() {
            peers.lost.remove(id)
            try tombstoneIsGone(id, &step)
        }
    }

    /// What a whole snapshot of the tombstones has not shown has ended while nobody here was looking. Above the horizon none
    /// has: somebody removed it, or the remote is another one, or was set back, and gets it again. Where the rules hide the
    /// horizon, nobody here can tell the two.
    private mutating func forgetUnshown<Book>(_ step: inout Step<Book>) throws {
        guard knowsOwnEntry, streams[.tombstones(rules.id)]?.phase == .live, let shown = peers.shown else { return }
        peers.shown = nil
        let wasSetBack = peers.isSetBack
        if settings.pull == .full { peers.isSetBack = false }
        guard let last = peers.horizonIsHidden && !wasSetBack && !hasMoved ? peers.horizon : .highest else { return }
        let known = try step.book.tombstones(of: rules.id, after: nil, through: last, limit: .max)
        for tombstone in known where !shown.contains(tombstone) { peers.lost.insert(tombstone.id) }
    }

    mutating func noteShown(tombstone id: RecordID, row: Int64?, _ keyspace: Keyspace) {
        if let row {
            streams[keyspace]?.shown.insert(row)
            peers.shown?.rows.insert(row)
        } else {
            streams[keyspace]?.shownIDs.insert(id)
            peers.shown?.ids.insert(id)
        }
    }

    /// A read shows no tombstone where one was known: the horizon tells whether it has ended, before it is written again.
    ///
    /// - Returns: whether that is so.
    @discardableResult
    mutating func noteLost<Book>(_ found: ObservedEntry, _ id: RecordID, _ step: inout Step<Book>) throws -> Bool {
        guard case .tombstone(nil) = found.value, try step.book.record(key(id)).state.tombstone != nil else {
            return false
        }
        peers.lost.insert(id)
        return true
    }

    /// The remote has no tombstone of the record any more.
    mutating func tombstoneIsGone<Book>(_ id: RecordID, _ step: inout Step<Book>) throws {
        var stored = try step.book.record(key(id))
        guard stored.row != nil else { return }
        stored.state.tombstone = nil
        // Where the record is believed to be there, that is read next.
        peers.readAfterEnd.remove(id)
        if try forget(stored, &step) { return }
        try store(stored, Outcome(), &step)
    }

    /// Forgets a deleted record whose tombstone has ended; false where it has not.
    ///
    /// Where a hold or the quarantine has something of the record, or this node's own stamps of it go on above the horizon,
    /// the row stays, with nothing in it but those.
    mutating func forget<Book>(_ stored: StoredRecord, _ step: inout Step<Book>) throws -> Bool {
        guard let horizon, stored.row != nil, stored.state.hasEnded(horizon) else { return false }
        let key = stored.state.key
        if try isWaited(for: stored.state, horizon, &step) {
            var left = stored
            left.state = RecordState(key)
            left.state.base = .absent
            left.state.ownStamp = stored.state.ownStamp
            try store(left, Outcome(), &step)
        } else {
            try step.book.forget(stored)
        }
        (turns[key.id], unanswered[key.id]) = (nil, nil)
        ownTurns.remove(key.id)
        return true
    }

    private func isWaited<Book>(for state: RecordState, _ horizon: Stamp, _ step: inout Step<Book>) throws -> Bool {
        if state.ownStamp ?? .zero > horizon { return true }
        if try step.book.isHeld(state.key) { return true }
        guard try step.book.anyQuarantined() else { return false }
        return try !step.book.quarantined(collection: state.key.collection, record: state.key.id.description).isEmpty
    }

    /// What must be read before a delete goes out that is not above the horizon: its tombstone may have ended, and others have
    /// removed the record with it. Only what is still there is removed, and only what has not ended is raised.
    mutating func readingBeforeEnd(_ state: RecordState) -> PushStep? {
        guard let horizon, state.observed == nil, !state.known.isLive, let deletion = state.known.deletion,
            deletion <= horizon, state.tombstone != nil || state.remote != nil
        else { return nil }
        let id = state.key.id
        if peers.readAfterEnd.remove(id) != nil { return nil }
        peers.readAfterEnd.insert(id)
        return state.tombstone != nil && settings.keepsTombstones ? .readTombstone : .read
    }

    // MARK: Records that may be deleted long ago

    /// Whether a record that must be pushed is not above the horizon, and the remote does not have it: then it waits for a
    /// person, or, where it is deleted, is forgotten.
    mutating func isBelowHorizon<Book>(_ stored: StoredRecord, _ step: inout Step<Book>) throws -> Bool {
        guard let horizon, stored.state.remote == nil else { return false }
        guard let live = stored.state.known.live else {
            return try stored.state.tombstone == nil && forget(stored, &step)
        }
        guard live.newest <= horizon else { return false }
        try BelowHorizon.raise(for: stored.state.key, horizon, since: step.time.wall, in: step.book, step.context)
        return true
    }

    /// A record that the remote has is not deleted; where a node has written it after the delete, nor was it put back by a
    /// stale app.
    mutating func releaseFound<Book>(_ reading: Reading, _ id: RecordID, _ step: inout Step<Book>) throws {
        guard reading != .absent else { return }
        let deletion = try step.book.record(key(id)).state.known.deletion ?? .zero
        let isWritten = reading.stamp.map { $0 > deletion } ?? false
        let kinds: Set<HoldKind> = isWritten ? [.belowHorizon, .staleWriter] : [.belowHorizon]
        if try step.book.release(key(id), from: kinds, step.context) { released(id) }
    }

    // MARK: Without tombstones on the remote

    /// Where tombstones are kept here only, they end by age; from then on the horizon stands for them.
    mutating func forgetByAge<Book>(_ step: inout Step<Book>) throws {
        guard mayPush, step.time.serverIsKnown, !step.time.policy.isClockWrong,
            step.time.monotonic >= peers.collectNotBefore
        else { return }
        peers.collectNotBefore = step.time.monotonic + CollectionMachine.day
        let now = step.time.policy.serverNow
        let last = Stamp(physical: now - min(step.time.keep, now), counter: 0, node: NodeID(0))
        let old = try step.book.deletes(of: rules.id, after: nil, through: last, limit: 10_000)
        var ended = 0
        for delete in old where !inFlight.contains(delete.id) && hints[delete.id] == nil {
            let stored = try step.book.record(key(delete.id))
            guard stored.state.remote == nil, stored.pending == .no else { continue }
            try note(horizon: delete.stamp, &step)
            if try forget(stored, &step) { ended += 1 }
        }
        if ended > 0 { step.note(.tombstonesEnded(ended)) }
    }
}

extension RecordState {
    /// Whether nothing is left of the record but a delete that is not above the horizon.
    fileprivate func hasEnded(_ horizon: Stamp) -> Bool {
        guard remote == nil, tombstone == nil, observed == nil, !known.isLive, let deletion = known.deletion else {
            return false
        }
        return deletion <= horizon
    }
}

extension Stamp {
    static let highest = Stamp(physical: (1 << 48) - 1, counter: .max, node: NodeID(.max))
}
