internal import SyncModel

/// The records of which a second key was removed, by this node or another one, a short while ago.
///
/// Who moves a record to another key writes the one and removes the other: what a node has removed may be what was to stay.
struct GoneSecondKeys: Sendable {
    /// How long the record's own key may go on standing there, in milliseconds, until it is looked at once more: no stream of
    /// changes tells when it is gone.
    private static let pause: UInt64 = 3000

    /// When each is looked at, on the monotonic clock.
    private var due: [RecordID: UInt64] = [:]
    private var asked: Set<RecordID> = []
    /// When a second key was shown first of those that may still be removed by another node, on the monotonic clock.
    private var shown: [RecordID: UInt64] = [:]
    /// When those that are over are forgotten.
    private var forgetsAt: UInt64 = 0

    mutating func add(_ id: RecordID, at now: UInt64) {
        due[id] = now + GoneSecondKeys.pause
        asked.remove(id)
    }

    /// A second key is shown: every node that sees it may remove it.
    mutating func noteShown(_ id: RecordID, at now: UInt64) {
        if now >= forgetsAt {
            shown = shown.filter { !isOver($0.value, now) }
            forgetsAt = now + GoneSecondKeys.pause
        }
        if shown[id].map({ isOver($0, now) }) ?? true { shown[id] = now }
    }

    /// The record stands under its second key now, for its own is gone: who saw both may have removed the second as well.
    mutating func follows(_ id: RecordID, at now: UInt64) {
        if let since = shown.removeValue(forKey: id), !isOver(since, now) { add(id, at: now) }
    }

    private func isOver(_ since: UInt64, _ now: UInt64) -> Bool { now >= since + GoneSecondKeys.pause }

    func contains(_ id: RecordID) -> Bool { due[id] != nil || asked.contains(id) }

    /// The record is written anew.
    mutating func remove(_ id: RecordID) {
        due[id] = nil
        asked.remove(id)
    }

    /// The record was read: it is there, or was deleted.
    mutating func read(_ id: RecordID) { asked.remove(id) }

    /// The next moment at which one is to be read.
    var next: UInt64? { due.values.min() }

    /// Those that are to be read now.
    mutating func take(at now: UInt64) -> [RecordID] {
        guard !due.isEmpty else { return [] }
        let ids = due.filter { $0.value <= now }.keys.sorted()
        for id in ids {
            due[id] = nil
            asked.insert(id)
        }
        return ids
    }
}
