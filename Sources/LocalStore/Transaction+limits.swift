internal import GRDB
internal import SQLiteFile
internal import SyncModel

/// Forgetting what is old. Rows are numbered as they come and go from the low end alone, so that their numbers tell how
/// many there are.
extension Transaction {
    /// Keeps within the limits what this transaction has added to.
    func keepWithinLimits() throws {
        if let operationsAt { try forgetOperations(now: operationsAt) }
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

    private func forgetOperations(now: UInt64) throws {
        guard let bounds = try bounds("operation", "number") else { return }
        let last = [
            excess(bounds, limits.operations), try lastOld(before: Int64(clamping: now) - limits.operationAge),
        ].compactMap(\.self).max()
        if let last, last >= bounds.lowerBound { try forget("operation", "number", upTo: last) }
    }

    /// The last of the oldest operations that are all from before `cutoff`; nil where none is.
    private func lastOld(before cutoff: Int64) throws -> Int64? {
        guard try oldest("operation", "number").map({ $0 < cutoff }) ?? false else { return nil }
        let old = try HotStatement(
            db,
            """
            SELECT coalesce(min(iif(at >= ?2, number, NULL)) - 1, max(number))
            FROM (SELECT number, at FROM operation ORDER BY number LIMIT ?1)
            """)
        // Few are enough: those of a transaction are not many more than the ones that it adds.
        old.bind(1, operationsRegistered + 100)
        old.bind(2, cutoff)
        defer { old.reset() }
        return try old.next() ? old.integer(0) : nil
    }

    /// When the row with the lowest number was written, milliseconds since 1970; nil where the table is empty.
    func oldest(_ table: String, _ number: String) throws -> Int64? {
        let first = try HotStatement(db, "SELECT at FROM \(table) ORDER BY \(number) LIMIT 1")
        defer { first.reset() }
        return try first.next() ? first.integer(0) : nil
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
