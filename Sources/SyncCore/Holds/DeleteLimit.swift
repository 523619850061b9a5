/// Counts the deletes of a collection in one direction, and says when they are too many at once.
///
/// What is beyond it waits in the hold `massDelete`: more than max(5, 25 %) of the records in one batch or within 60 s
/// (`docs/protocol.md` section 10).
package struct DeleteLimit: Hashable, Sendable {
    private var counted: [Entry] = []

    private struct Entry: Hashable, Sendable {
        var at: UInt64
        var deletes: Int
        /// How many live records there were before them.
        var records: Int
    }

    /// Milliseconds.
    package static let window: UInt64 = 60_000

    package init() {}

    /// How many deletes happened within the window.
    private var deletes: Int { counted.reduce(0) { $0 + $1.deletes } }
    /// The most live records that there were before one of them; 0 where none has happened.
    private var records: Int { counted.map(\.records).max() ?? 0 }

    /// Whether `deletes` more may happen now; if so they are counted.
    ///
    /// - Parameters:
    ///   - records: how many live records the collection has now; those that were counted may be among them.
    ///   - now: milliseconds on a clock that only goes forward.
    package mutating func admits(deletes: Int, records: Int, now: UInt64) -> Bool {
        guard deletes > 0 else { return true }
        counted.removeAll { $0.at + DeleteLimit.window <= now }
        let most = max(records, self.records)
        guard self.deletes + deletes <= DeleteLimit.limit(records: most) else { return false }
        counted.append(Entry(at: now, deletes: deletes, records: records))
        return true
    }

    /// How many happened within the window, when that was noted, and of how many records, for ``init(noted:wall:now:)``.
    ///
    /// - Parameter wall: milliseconds since 1970.
    func noted(wall: UInt64) -> String { "\(deletes) \(wall) \(records)" }

    /// What an earlier run has counted, as if it had happened just now: nothing tells how long the daemon was down by a clock
    /// that only goes forward.
    init(noted: String?, wall: UInt64, now: UInt64) {
        let words = noted?.split(separator: " ").compactMap { UInt64($0) } ?? []
        guard words.count >= 2, let deletes = Int(exactly: words[0]), deletes > 0 else { return }
        guard wall < DeleteLimit.window || wall - DeleteLimit.window < words[1] else { return }
        // States of earlier versions do not tell of how many.
        counted = [Entry(at: now, deletes: deletes, records: words.count > 2 ? Int(clamping: words[2]) : 0)]
    }

    /// The most deletes that pass without a question, out of this many records.
    package static func limit(records: Int) -> Int { max(5, records / 4) }
}
