internal import SQLiteFile
package import SyncCore
package import SyncModel

extension Transaction {
    package func tombstones(
        of collection: CollectionID, after: Stamp?, through: Stamp, limit: Int
    ) throws -> [RowOfTombstone] {
        try rows(of: collection, "tombStamp", "tombStamp IS NOT NULL", after, through, limit)
    }

    package func deletes(
        of collection: CollectionID, after: Stamp?, through: Stamp, limit: Int
    ) throws -> [RowOfTombstone] {
        try rows(of: collection, "deletion", "live = 0", after, through, limit)
    }

    private func rows(
        of collection: CollectionID, _ column: String, _ condition: String, _ after: Stamp?, _ through: Stamp,
        _ limit: Int
    ) throws -> [RowOfTombstone] {
        let rows = try HotStatement(
            db,
            """
            SELECT row, id, \(column) FROM record
            WHERE collection = ? AND \(column) > ? AND \(column) <= ? AND \(condition) ORDER BY \(column) LIMIT ?
            """)
        rows.bind(1, try knownNumber(collection))
        rows.bind(2, after ?? .zero)
        rows.bind(3, through)
        rows.bind(4, Int64(limit))
        defer { rows.reset() }
        var found: [RowOfTombstone] = []
        while try rows.next() {
            guard let row = rows.integer(0), let id = rows.recordID(1), let stamp = rows.stamp(2) else { continue }
            found.append(RowOfTombstone(row: row, id: id, stamp: stamp))
        }
        return found
    }

    /// Forgets all of a record; what was counted of it is counted no more.
    package func forget(_ stored: StoredRecord) throws {
        guard let row = stored.row else { return }
        recordRun.end()
        _ = try leaveRun(row)
        let statement = try HotStatement(db, "DELETE FROM record WHERE row = ?")
        statement.bind(1, row)
        try statement.run()
        try removeFromIndex(stored.state.key)
        count(stored.state.key.collection) { counts in
            counts.records -= stored.standing.live ? 1 : 0
            counts.tombstones -= stored.standing.tombstone ? 1 : 0
            counts.pending -= stored.standing.pending == .no ? 0 : 1
        }
    }
}
