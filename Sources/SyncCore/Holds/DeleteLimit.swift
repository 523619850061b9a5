package import SyncModel

/// Counts the records of a collection that are deleted in one direction, and says when they are too many at once.
///
/// What is beyond it waits in the hold `massDelete`: more than max(5, 25 %) of the records in one batch or within 60 s
/// (`docs/protocol.md` section 10). A record that comes back and is deleted again within that time is one, where few are.
package struct DeleteLimit: Hashable, Sendable {
    /// The last delete of each of a few records.
    private var named: [RecordID: Moment] = [:]
    /// The deletes of records that are not kept by name.
    private var counted: [Entry] = []

    private struct Moment: Hashable, Sendable {
        var at: UInt64
        /// How many live records there were before.
        var records: Int

        func isOver(_ now: UInt64) -> Bool { at + DeleteLimit.window <= now }
    }

    private struct Entry: Hashable, Sendable {
        var moment: Moment
        var deletes: Int
    }

    /// Milliseconds.
    package static let window: UInt64 = 60_000

    /// So many records are kept by name, that a large library costs no more than a small one.
    private static let mostNamed = 64

    package init() {}

    /// How many records were deleted within the window; one that is not kept by name may be in it twice.
    private var deletes: Int { counted.reduce(named.count) { $0 + $1.deletes } }
    /// The most live records that there were before one of the deletes; 0 where none has happened.
    private var records: Int {
        max(counted.map(\.moment.records).max() ?? 0, named.values.map(\.records).max() ?? 0)
    }

    /// Whether these records may be deleted now; if so they are counted.
    ///
    /// - Parameters:
    ///   - ids: each once.
    ///   - records: how many live records the collection has now; those that were counted may be among them.
    ///   - now: milliseconds on a clock that only goes forward.
    package mutating func admits(deletes ids: [RecordID], records: Int, now: UInt64) -> Bool {
        guard !ids.isEmpty else { return true }
        counted.removeAll { $0.moment.isOver(now) }
        named = named.filter { !$0.value.isOver(now) }
        let new = ids.count { named[$0] == nil }
        guard deletes + new <= DeleteLimit.limit(records: max(records, self.records)) else { return false }
        let moment = Moment(at: now, records: records)
        let areNamed = named.count + new <= DeleteLimit.mostNamed
        for id in ids where areNamed || named[id] != nil { named[id] = moment }
        if !areNamed { counted.append(Entry(moment: moment, deletes: new)) }
        return true
    }

    /// How many happened within the window, when that was noted, of how many records, and which are kept by name, for
    /// ``init(noted:wall:now:)``.
    ///
    /// - Parameter wall: milliseconds since 1970.
    func noted(wall: UInt64) -> String {
        (["\(deletes)", "\(wall)", "\(records)"] + named.keys.sorted().map(\.description)).joined(separator: " ")
    }

    /// What an earlier run has counted, as if it had happened just now: nothing tells how long the daemon was down by a clock
    /// that only goes forward.
    init(noted: String?, wall: UInt64, now: UInt64) {
        let words = noted?.split(separator: " ") ?? []
        // Earlier versions name no records, and some do not tell of how many; they pass over the names.
        let numbers = words.prefix(3).compactMap { UInt64($0) }
        guard numbers.count >= 2, let deletes = Int(exactly: numbers[0]), deletes > 0 else { return }
        guard wall < DeleteLimit.window || wall - DeleteLimit.window < numbers[1] else { return }
        let moment = Moment(at: now, records: numbers.count > 2 ? Int(clamping: numbers[2]) : 0)
        for id in words.dropFirst(3).prefix(DeleteLimit.mostNamed).compactMap({ RecordID($0) }) { named[id] = moment }
        if deletes > named.count { counted = [Entry(moment: moment, deletes: deletes - named.count)] }
    }

    /// The most deletes that pass without a question, out of this many records.
    package static func limit(records: Int) -> Int { max(5, records / 4) }
}
