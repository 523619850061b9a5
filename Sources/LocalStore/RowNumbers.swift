internal import GRDB
internal import SQLiteFile
internal import Synchronization

/// Gives records their rows. None is given twice while the daemon runs: what was sent of a record is known by its row.
final class RowNumbers: Sendable {
    /// The last one that was given; 0 before the first.
    private let last = Atomic<Int64>(0)

    /// The next one, for the one writer.
    func next(_ db: Database) throws -> Int64 {
        let given = last.load(ordering: .relaxed)
        let next = try (given == 0 ? RowNumbers.highest(db) : given) + 1
        last.store(next, ordering: .relaxed)
        return next
    }

    private static func highest(_ db: Database) throws -> Int64 {
        let highest = try HotStatement(db, "SELECT max(row) FROM record")
        defer { highest.reset() }
        return try highest.next() ? highest.integer(0) ?? 0 : 0
    }
}
