internal import SyncModel

/// A node that was away for longer than tombstones are kept: what it missed may have left no trace, so it compares all that
/// it has with the remote before it pushes anything (`docs/protocol.md` section 11).
extension CollectionMachine {
    private var touchedName: String { "touched.\(rules.id)" }
    private var newestName: String { "newestTombstone.\(rules.id)" }

    mutating func loadTouch<Book>(_ step: inout Step<Book>) throws {
        peers.touched = try step.book.text(touchedName).flatMap { UInt64($0) }
        peers.newest = try step.book.text(newestName).flatMap { Stamp($0) } ?? newestKnown(step.book)
        peers.isAway = isTooLong(since: peers.touched, step.time)
    }

    /// An earlier release did not note it.
    private func newestKnown(_ book: some RecordBook) throws -> Stamp? {
        try book.tombstones(of: rules.id, after: nil, through: .highest, limit: .max).last?.stamp
    }

    private func isTooLong(since touched: UInt64?, _ time: MachineTime) -> Bool {
        touched.map { time.policy.serverNow > $0 + time.keep } ?? false
    }

    /// Notes that this node is in touch with the remote, or for how long it has not been.
    mutating func stayInTouch<Book>(_ step: inout Step<Book>) throws {
        guard settings.keepsTombstones else { return }
        guard streams[.tombstones(rules.id)]?.phase == .live else {
            if mayPush, let since = peers.downSince, step.time.monotonic > since + step.time.keep { wasAway() }
            return
        }
        peers.downSince = nil
        if peers.isRebuilding, mayPush, settings.pull == .full { peers.isRebuilding = false }
        guard mayPush, !peers.isAway, !peers.isRebuilding, step.time.serverIsKnown, !step.time.policy.isClockWrong
        else { return }
        // At the start this machine's clock may have been behind.
        if !peers.isTouchJudged {
            peers.isTouchJudged = true
            if isTooLong(since: peers.touched, step.time) {
                wasAway()
                peers.wantsHorizon = true
                return
            }
        }
        let now = step.time.policy.serverNow
        if let touched = peers.touched, touched <= now, now < touched + min(step.time.keep / 4, 3_600_000) { return }
        peers.touched = now
        try step.book.setText(touchedName, String(now))
    }

    /// Nothing is pushed before the horizon is known anew, with which the rebuilding begins.
    private mutating func wasAway() {
        peers.isAway = true
        tombstonesMerged = false
    }

    /// The stream of the tombstones may have ended in this step.
    mutating func noteDown(_ time: MachineTime) {
        guard streams[.tombstones(rules.id)]?.phase != .live, peers.downSince == nil else { return }
        peers.downSince = time.monotonic
    }

    /// Notes a tombstone that the remote holds, or held.
    mutating func noteNewest<Book>(_ tombstone: Stamp, _ step: inout Step<Book>) throws {
        guard tombstone > peers.newest ?? .zero else { return }
        peers.newest = tombstone
        try step.book.setText(newestName, tombstone.description)
    }

    /// Whether tombstones have ended that this node has never seen. The horizon is the stamp of one of those that have ended.
    mutating func noteMissed<Book>(_ found: Stamp?, _ step: inout Step<Book>) throws {
        guard peers.touched != nil, let found, found > peers.horizon ?? .zero else { return }
        let isMissed = peers.newest.map { $0 < found } ?? (peers.applied + step.time.policy.maxAhead < found.physical)
        if isMissed { peers.isAway = true }
    }

    /// Compares all that is here with all that is there. What the remote has no more is deleted here, within the limits of
    /// deletes; edits that were not sent yet are merged, and sent where they are above the horizon.
    mutating func rebuild<Book>(_ step: inout Step<Book>) throws {
        (peers.isAway, peers.isTouchJudged) = (false, true)
        step.note(.fenced(since: peers.touched))
        try compareAll(loading: [.records(rules.id)], &step)
    }

    /// Compares both sides as a whole before anything is pushed. A whole snapshot does just that; where only changes are shown,
    /// these keyspaces are loaded anew, and the keys are compared.
    mutating func compareAll<Book>(loading keyspaces: [Keyspace], _ step: inout Step<Book>) throws {
        peers.isRebuilding = true
        guard settings.pull == .incremental else { return }
        reconcileAt = step.time.monotonic
        for keyspace in keyspaces where streams[keyspace]?.cursor != nil {
            try close(keyspace, &step)
            step.effects.append(.close(keyspace))
            streams[keyspace]?.resume(at: nil)
            if !paused.contains(.pull) { streams[keyspace]?.retryAt = step.time.monotonic }
            switch keyspace {
            case .records: recordsMerged = false
            case .tombstones: tombstonesMerged = false
            }
        }
    }

    /// Whether a fenced node has not compared the keys of both sides yet. Until then its base may show what the remote has
    /// no more, and a delete of that would bring a tombstone back which has ended.
    var isComparing: Bool { peers.isRebuilding && settings.pull == .incremental }

    /// What the keys are compared with is gone before that was done: a fenced node, which pushes nothing until then, asks
    /// for them again.
    mutating func compareAgain<Book>(_ step: inout Step<Book>) {
        if isComparing, completeSnapshot != nil { reconcileAt = step.time.monotonic }
    }
}
