internal import SyncModel

/// Changes by apps without stamps that wait until it is known how many came at once: an event, or several, may arrive in
/// many pieces.
///
/// The first few after a quiet second wait for nobody. What comes in a row waits until no more has come for a moment, but
/// not for long. Of a change below a record only a read tells what it is: where so many have come that it matters, they are
/// read before they are judged.
struct ForeignChanges: Sendable {
    /// In milliseconds: how long it is quiet before a row begins anew, and before those that come in a row are judged.
    private static let (quietBefore, quietAfter): (UInt64, UInt64) = (1000, 300)
    /// In milliseconds: so long a change waits at most.
    private static let patience: UInt64 = 3000
    private static let few = 10
    /// In milliseconds: so long they wait for what is read.
    private static let patienceOfReading: UInt64 = 30_000

    /// What was shown is nil where it is not known yet.
    private(set) var changes: [(id: RecordID, shown: Content?, hint: Hint)] = []
    /// On the monotonic clock: until when what is not known yet is waited for; nil while nothing is read.
    private var readUntil: UInt64?
    /// Those that are not known yet, and those of them that are being read.
    private(set) var unknown: Set<RecordID> = []
    private var asked: Set<RecordID> = []
    private var places: [RecordID: Int] = [:]
    /// On the monotonic clock: when the first of them came, and the last one, also of those judged already.
    private var first: UInt64 = 0
    private var last: UInt64?
    /// How many have come in a row, those included that are judged already.
    private var inRow = 0

    var isEmpty: Bool { changes.isEmpty }
    var count: Int { changes.count }
    func contains(_ id: RecordID) -> Bool { places[id] != nil }

    /// Of a record that is there already only the later change counts.
    mutating func add(_ id: RecordID, _ shown: Content?, _ hint: Hint, at now: UInt64) {
        if changes.isEmpty { first = now }
        if let last, now >= last + ForeignChanges.quietBefore { inRow = 0 }
        last = now
        inRow += 1
        asked.remove(id)
        if shown == nil { unknown.insert(id) } else { unknown.remove(id) }
        if let place = places[id] {
            changes[place] = (id, shown, hint)
        } else {
            places[id] = changes.count
            changes.append((id, shown, hint))
        }
    }

    /// When they are to be judged, on the monotonic clock; nil where there are none.
    var due: UInt64? {
        guard let last, !changes.isEmpty else { return nil }
        if let readUntil { return hasUnasked ? min(readUntil, last + ForeignChanges.quietAfter) : readUntil }
        if inRow <= ForeignChanges.few { return first }
        return min(last + ForeignChanges.quietAfter, first + ForeignChanges.patience)
    }

    /// What a cursor must not pass.
    func floor(of keyspace: Keyspace) -> UInt64? { changes.compactMap { $0.hint.floors[keyspace] }.min() }

    /// Whether some are not known, and nobody reads them.
    var hasUnasked: Bool { unknown.count > asked.count }

    func isReading(at now: UInt64) -> Bool { readUntil.map { now < $0 } ?? false }

    /// Begins to read what is not known.
    ///
    /// - Returns: the records of which it is not, and that are not being read already.
    mutating func beginReading(at now: UInt64) -> [RecordID] {
        readUntil = now + ForeignChanges.patienceOfReading
        let ids = changes.map(\.id).filter { unknown.contains($0) && !asked.contains($0) }
        asked.formUnion(ids)
        return ids
    }

    /// A record was read.
    ///
    /// - Parameter shown: what an app has made of it; nil where it was dealt with.
    mutating func read(_ id: RecordID, _ shown: Content?, at now: UInt64) {
        guard readUntil != nil, let place = places[id] else { return }
        guard shown != nil else { return discard(id, at: now) }
        changes[place].shown = shown
        isKnown(id, at: now)
    }

    /// What an app had made of a record is there no more.
    mutating func discard(_ id: RecordID, at now: UInt64) {
        guard let place = places.removeValue(forKey: id) else { return }
        let last = changes.removeLast()
        if last.id != id {
            changes[place] = last
            places[last.id] = place
        }
        isKnown(id, at: now)
    }

    private mutating func isKnown(_ id: RecordID, at now: UInt64) {
        unknown.remove(id)
        asked.remove(id)
        if readUntil != nil, unknown.isEmpty { readUntil = now }
    }

    /// The stream begins anew: what it has shown of them may be old, and it is to be read of what it does not show again.
    mutating func forgetShown() {
        for place in changes.indices { changes[place].shown = nil }
        unknown = Set(places.keys)
        asked = []
        readUntil = nil
    }

    mutating func removeAll() {
        changes = []
        readUntil = nil
        unknown = []
        asked = []
        places = [:]
    }
}
