internal import SyncModel

/// A node that was away for longer than tombstones are kept: what it missed may have left no trace, so it compares all that
/// it has with the remote before it pushes anything (`docs/protocol.md` section 11).
extension CollectionMachine {
    private var touchedName: String { "touched.\(rules.id)" }

    mutating func loadTouch<Book>(_ step: inout Step<Book>) throws {
        peers.touched = try step.book.text(touchedName).flatMap { UInt64($0) }
        if let touched = peers.touched { peers.isAway = step.time.policy.serverNow > touched + step.time.keep }
    }

    /// Notes that this node is in touch with the remote, or for how long it has not been.
    mutating func stayInTouch<Book>(_ step: inout Step<Book>) throws {
        guard settings.keepsTombstones else { return }
        guard streams[.tombstones(rules.id)]?.phase == .live else {
            let since = peers.downSince ?? step.time.monotonic
            peers.downSince = since
            if mayPush, step.time.monotonic > since + step.time.keep {
                peers.isAway = true
                tombstonesMerged = false
            }
            return
        }
        peers.downSince = nil
        if peers.isRebuilding, mayPush, settings.pull == .full { peers.isRebuilding = false }
        guard mayPush, !peers.isAway, !peers.isRebuilding else { return }
        let now = step.time.policy.serverNow
        if let touched = peers.touched, touched <= now, now < touched + min(step.time.keep / 4, 3_600_000) { return }
        peers.touched = now
        try step.book.setText(touchedName, String(now))
    }

    /// Whether tombstones have ended that this node has never seen.
    mutating func noteMissed<Book>(_ found: Stamp?, _ step: inout Step<Book>) throws {
        guard peers.touched != nil, let found, found > peers.horizon ?? .zero else { return }
        if peers.applied + step.time.policy.maxAhead < found.physical { peers.isAway = true }
    }

    /// Compares all that is here with all that is there. What the remote has no more is deleted here, within the limits of
    /// deletes; edits that were not sent yet are merged, and sent where they are above the horizon.
    mutating func rebuild<Book>(_ step: inout Step<Book>) throws {
        peers.isAway = false
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
