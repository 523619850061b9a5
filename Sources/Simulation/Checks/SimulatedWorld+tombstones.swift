internal import DatabaseTree
internal import FirebaseWire
internal import JSONText
internal import SyncCore
internal import SyncModel

/// Tombstones end only when they are old and everybody has applied them, and are not written again after that.
extension SimulatedWorld {
    func noteTombstones(_ writer: SimulatedDatabase.Writer, before: Root, after: Root) {
        guard settings.keepsTombstones, case .node(let ender) = writer else { return }
        for id in ids {
            let (old, new) = (tombstone(of: id, in: before), tombstone(of: id, in: after))
            guard old?.stamp != new?.stamp else { continue }
            let horizon = database.horizon(of: rules.id).stamp ?? .zero
            if let old, new == nil {
                checkEnd(of: id, old, horizon, by: nodes[ender])
                checks.ended[id] = max(checks.ended[id] ?? .zero, old.stamp)
            } else if let new, let ended = checks.ended[id], new.stamp <= ended, !isThere(id, before) {
                report(.tombstones, "\(writer.name) writes the tombstone of \(id.short) again, which has ended")
            }
        }
    }

    private func checkEnd(
        of id: RecordID, _ old: (stamp: Stamp, time: UInt64), _ horizon: Stamp, by ender: SimulatedNode
    ) {
        if old.stamp > horizon { report(.tombstones, "the tombstone of \(id.short) ends above the horizon") }
        guard !hasTwins else { return }
        let cutoff = timeline.now - settings.keep
        if old.time > cutoff { report(.tombstones, "the tombstone of \(id.short) ends too early") }
        for peer in database.peers() {
            guard let seen = peer.seenAt, seen > cutoff, let mark = peer.applied[rules.id], mark < old.time else {
                continue
            }
            // Whoever ends it need not have told the others yet.
            let isOwn = peer.node == ender.glimpse.node.description
            if isOwn, ender.hasApplied(old.stamp, of: RecordKey(rules.id, id)) { continue }
            // It has just come back from where nobody waits for it: it is fenced.
            if let before = database.seenBefore[peer.node], before + settings.keep < seen { continue }
            report(.tombstones, "the tombstone of \(id.short) ends before \(peer.node) has applied it")
        }
    }

    private func tombstone(of id: RecordID, in root: Root) -> (stamp: Stamp, time: UInt64)? {
        let path = SimulatedDatabase.path(of: id.description, in: .tombstones(rules.id))
        let value = SimulatedDatabase.value(root.value(at: path))
        let entry = EntrySpelling.entry(id.description, value, in: .tombstones(rules.id))
        guard case .tombstone(let stamp, _) = entry.value else { return nil }
        return (stamp, entry.serverTime ?? 0)
    }

    /// How many tombstones are of deletes long before they were written: whether they may end only a look can tell.
    var lateTombstones: Int {
        ids.lazy.compactMap { self.tombstone(of: $0, in: self.database.root) }
            .count { $0.stamp.physical + settings.keep <= timeline.now && $0.time + settings.keep > timeline.now }
    }

    /// Whether the remote has got a delete with this stamp, or at least has no record.
    func isSent(_ id: RecordID, _ deletion: Stamp) -> Bool {
        if !isThere(id, database.root) { return true }
        return tombstone(of: id, in: database.root).map { $0.stamp >= deletion } ?? false
    }

    func isThere(_ id: RecordID, _ root: Root) -> Bool {
        records.keys(of: id).contains { key in
            root.value(at: SimulatedDatabase.path(of: key, in: .records(rules.id))) != nil
        }
    }

    /// What is old ends once everything is at rest, and the nodes forget it.
    func letTombstonesEnd() {
        guard settings.keepsTombstones else { return }
        tell("--- tombstones end")
        for _ in 0..<72 where isSound {
            if !nodes.contains(where: mayEndSomething), nodes.allSatisfy(\.isDone) { return }
            timeline.run(until: timeline.now + 3_600_000, while: { isSound })
        }
        if isSound { report(.tombstones, "old tombstones do not end") }
    }

    /// Whether a node knows of a tombstone that is old enough, or will be soon: by the delete, and by when it was written.
    private func mayEndSomething(_ node: SimulatedNode) -> Bool {
        guard let oldest = node.machine?.oldestTombstone else { return false }
        let soon = timeline.now + 4 * 3_600_000
        let written = ids.lazy.compactMap { self.tombstone(of: $0, in: self.database.root) }
            .first { $0.stamp == oldest }?.time
        return max(oldest.physical, written ?? 0) + settings.keep <= soon
    }
}
