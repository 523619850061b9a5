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

    mutating func add(_ id: RecordID, at now: UInt64) {
        due[id] = now + GoneSecondKeys.pause
        asked.remove(id)
    }

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
