internal import GRDB
internal import SQLiteFile
internal import SyncModel

/// Forgetting what is old. Rows are numbered as they come and go from the low end alone, so that their numbers tell how
/// many there are.
extension Transaction {
    /// Keeps within the limits what this transaction has added to.
    func keepWithinLimits() throws {
        if !effects.decided.isEmpty { try forgetConflicts() }
        if effects.changes > 0, let bounds = try bounds("change", "sequence"),
            let last = excess(bounds, limits.changes)
        {
            try forget("change", "sequence", upTo: last)
        }
    }

    /// The lowest and the highest number in a table; nil where it is empty.
    func bounds(_ table: String, _ number: String) throws -> ClosedRange<Int64>? {
        // One aggregate a query: SQLite finds both ends without reading what lies between.
        let ends = try HotStatement(
            db, "SELECT (SELECT min(\(number)) FROM \(table)), (SELECT max(\(number)) FROM \(table))")
        defer { ends.reset() }
        guard try ends.next(), let first = ends.integer(0), let last = ends.integer(1) else { return nil }
        return first...last
    }

    /// The highest number that must go now, so that `limit` are left in the end; nil where none must.
    private func excess(_ bounds: ClosedRange<Int64>, _ limit: Int64) -> Int64? {
        let last = min(bounds.upperBound - limit, bounds.lowerBound + limits.atOnce - 1)
        return last < bounds.lowerBound ? nil : last
    }

    private func forget(_ table: String, _ number: String, upTo last: Int64) throws {
        let delete = try HotStatement(db, "DELETE FROM \(table) WHERE \(number) <= ?")
        delete.bind(1, last)
        try delete.run()
    }

    private func forgetConflicts() throws {
        guard let bounds = try bounds("conflict", "number"), let last = excess(bounds, limits.conflicts) else { return }
        let going = try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT collection, count(*) FROM conflict WHERE number <= ? GROUP BY collection"),
            arguments: [last])
        for row in going { count(try name(row[0] as Int64)) { $0.conflicts -= row[1] as Int } }
        try forget("conflict", "number", upTo: last)
    }
}
