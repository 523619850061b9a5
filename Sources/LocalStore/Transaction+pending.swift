internal import GRDB
internal import SQLiteFile
package import SyncModel

/// What waits to be pushed. Each record says so in its row, but those of ``UnacknowledgedRows``.
extension Transaction {
    /// The ids of all records that must be pushed, those that wait longest first.
    package func pendingIDs(in collection: CollectionID) throws -> [RecordID] {
        let rows = try HotStatement(
            db,
            """
            SELECT id, pendingSince FROM record WHERE collection = ? AND pending = 1 AND pending > 0
            ORDER BY pendingSince
            """)
        let number = try knownNumber(collection)
        rows.bind(1, number)
        defer { rows.reset() }
        var runs = unacknowledged.runs.filter { $0.collection == number }[...]
        runs.sort { $0.pendingSince < $1.pendingSince }
        var found: [RecordID] = []
        while try rows.next() {
            guard let id = rows.recordID(0), let since = rows.integer(1) else { continue }
            while let run = runs.first, run.pendingSince <= since {
                found += try ids(run)
                runs.removeFirst()
            }
            found.append(id)
        }
        for run in runs { found += try ids(run) }
        return found
    }

    private func ids(_ run: UnacknowledgedRows.Run) throws -> [RecordID] {
        let rows = try HotStatement(connection, "SELECT id FROM record WHERE row BETWEEN ? AND ? ORDER BY row")
        rows.bind(1, run.rows.lowerBound)
        rows.bind(2, run.rows.upperBound)
        return try ids(rows)
    }

    /// Counts every record that must be pushed as one that may have been sent already.
    package func countPendingAsAttempted() throws {
        recordRun.end()
        try writeNewRecords()
        unacknowledged.countAsAttempted()
        try db.execute(sql: "UPDATE record SET fresh = NULL WHERE pending > 0 AND fresh IS NOT NULL")
    }

    /// Since when the longest pending record of a collection waits, in milliseconds since 1970.
    package func oldestPending(in collection: CollectionID) throws -> Int64? {
        let find = try HotStatement(
            db, "SELECT min(pendingSince) FROM record WHERE collection = ? AND pending > 0")
        let number = try knownOrNew(collection)
        find.bind(1, number)
        defer { find.reset() }
        let inRows = try find.next() ? find.integer(0) : nil
        let inRuns = unacknowledged.runs.lazy.filter { $0.collection == number }.map(\.pendingSince).min()
        return [inRows, inRuns].compactMap(\.self).min()
    }

    /// Takes a record out of its run: the remote has it, or something else is to be written in its row. False where it is in
    /// none.
    func leaveRun(_ row: Int64) throws -> Bool {
        try writeNewRecords()
        guard unacknowledged.remove(row) else { return false }
        try writeOutShortRuns()
        return true
    }

    /// Keeps no more runs than each transaction can read.
    func writeOutShortRuns() throws {
        while let run = unacknowledged.removeShortest() { try writeOut(run) }
    }

    /// Writes down in each record of a run that it is not acknowledged.
    private func writeOut(_ run: UnacknowledgedRows.Run) throws {
        recordRun.end()
        let update = try HotStatement(
            connection,
            """
            UPDATE record SET base = ?, baseStamp = NULL, fresh = ?, pending = 1, pendingSince = ?
            WHERE row BETWEEN ? AND ?
            """)
        update.bind(1, run.base.kind)
        update.bind(2, run.newInRun)
        update.bind(3, run.pendingSince)
        update.bind(4, run.rows.lowerBound)
        update.bind(5, run.rows.upperBound)
        try update.run()
    }
}
