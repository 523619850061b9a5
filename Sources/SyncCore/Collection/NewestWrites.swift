internal import SyncModel

/// A write that a stream has shown, or is to show.
struct ShownWrite: Equatable, Sendable, CustomStringConvertible {
    /// Whose record, or tombstone, was written.
    var id: RecordID
    /// The server's time of it; nil where that is not known.
    var time: UInt64?

    init(_ id: RecordID, at time: UInt64?) { (self.id, self.time) = (id, time) }

    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: ":")
        guard let id = parts.last.flatMap({ RecordID(String($0)) }) else { return nil }
        self.init(id, at: parts.count > 1 ? UInt64(parts[0]) : nil)
    }

    var description: String { (time.map { "\($0):" } ?? "") + id.description }
}

/// The newest writes that a stream has shown, each of another record, or tombstone, ascending by their times. One alone says
/// nothing once somebody has written that very record again. Of very many that were written at once none is kept when there
/// is a later one: all of them would be shown again.
struct NewestWrites: Equatable, Sendable, CustomStringConvertible {
    private(set) var writes: [ShownWrite] = []
    /// The latest time of more writes than are kept.
    private var crowded: UInt64?
    static let most = 3

    init() {}

    init(_ text: Substring) { writes = text.split(separator: ",").compactMap { ShownWrite($0) } }

    var description: String { writes.map(\.description).joined(separator: ",") }

    /// Notes one that is shown; what is older than all that are kept is passed over.
    ///
    /// - Parameter cursor: from when on things are shown again.
    mutating func note(_ id: RecordID, at time: UInt64, since cursor: UInt64 = 0) {
        forget(id)
        guard time >= cursor else { return }
        if writes.count == NewestWrites.most, let first = writes.first?.time, time < first { return }
        writes.insert(ShownWrite(id, at: time), at: writes.firstIndex { $0.time ?? 0 > time } ?? writes.endIndex)
        if writes.count > NewestWrites.most, let left = writes.removeFirst().time, left == writes[0].time {
            crowded = left
        }
        if let crowded, let last = writes.last?.time, last > crowded {
            writes.removeAll { $0.time ?? 0 <= crowded }
        }
    }

    /// Nothing of this record, or tombstone, is shown by its time any more.
    mutating func forget(_ id: RecordID) {
        if writes.contains(where: { $0.id == id }) { writes.removeAll { $0.id == id } }
    }

    static func == (left: NewestWrites, right: NewestWrites) -> Bool { left.writes == right.writes }

    /// From when on everything is asked for so that they are shown again, and what is not below this time.
    func cursor(below reached: UInt64) -> UInt64 { min(reached, writes.compactMap(\.time).min() ?? reached) }
}

/// What a stream is to show, as it had shown it before, or as this node wrote it, and has not shown yet.
struct AwaitedWrites: Sendable {
    struct Write: Sendable {
        var id: RecordID
        /// The lowest server time that it has; nil where that is not known.
        var time: UInt64?
        /// Whether it was shown before the others were awaited: where it stands as it did, so did they then.
        var provesOthers: Bool
        /// Whether it was shown as it was earlier.
        var isOlder = false
    }

    private var writes: [Write] = []

    var isEmpty: Bool { writes.isEmpty }

    mutating func add(_ newest: NewestWrites) {
        let areFirst = writes.isEmpty
        for write in newest.writes where !writes.contains(where: { $0.id == write.id }) {
            writes.append(Write(id: write.id, time: write.time, provesOthers: areFirst))
        }
    }

    /// Adds what was acknowledged last: later than anything that was shown of it.
    mutating func add(acknowledged id: RecordID) {
        if let place = writes.firstIndex(where: { $0.id == id }) {
            (writes[place].time, writes[place].provesOthers) = (writes[place].time.map { $0 + 1 }, false)
        } else {
            writes.append(Write(id: id, time: nil, provesOthers: false))
        }
    }

    /// What stands there for this record, or tombstone, is shown. One that was written at the same time as before was there
    /// already: so was what had been written before it, or with it, and whoever has taken that away since has not set back
    /// the remote.
    ///
    /// - Returns: false where it is older than what is awaited, as if nothing was shown.
    @discardableResult
    mutating func noteShown(_ id: RecordID, at time: UInt64?) -> Bool {
        guard let place = writes.firstIndex(where: { $0.id == id }) else { return true }
        if let time, let awaited = writes[place].time, time < awaited {
            writes[place].isOlder = true
            return false
        }
        let write = writes.remove(at: place)
        guard let time, write.time == time, write.provesOthers else { return true }
        writes.removeAll { $0.time.map { $0 <= time } ?? false }
        return true
    }

    /// Takes all that was not shown, in the order of their ids.
    mutating func take() -> [Write] {
        defer { writes = [] }
        return writes.sorted { $0.id < $1.id }
    }
}
