internal import GRDB
internal import SQLiteFile
internal import SyncModel

/// A new record that is not in its table yet.
struct UnwrittenRecord {
    var row: Int64
    var collection: Int64
    var stored: StoredRecord
    var pending: Pending
    /// Since when it is pending, milliseconds since 1970.
    var pendingSince: Int64?

    /// With the columns of a plain record: the others are null.
    static let table = RowInserter.Table(
        "record",
        """
        row, collection, id, stamp, text, hash, base, baseStamp, ownStamp, fresh, putBack, live, pending, pendingSince, \
        lastChange
        """)

    /// Binds its parameters after `last`.
    func bind(to statement: HotStatement, after last: Int32) {
        let state = stored.state
        statement.bind(last + 1, row)
        statement.bind(last + 2, collection)
        statement.bind(last + 3, state.key.id)
        statement.bind(last + 4, state.stamp)
        statement.bind(last + 5, state.known.fields?.content.text)
        statement.bind(last + 6, state.known.fields?.content.hash)
        statement.bind(last + 7, state.base.kind)
        statement.bind(last + 8, state.remote?.stamp)
        statement.bind(last + 9, state.ownStamp)
        statement.bind(last + 10, state.newInRun)
        statement.bind(last + 11, Int64(state.timesPutBack))
        statement.bind(last + 12, state.isLive ? 1 : 0)
        statement.bind(last + 13, Int64(pending.rawValue))
        statement.bind(last + 14, pendingSince)
        statement.bind(last + 15, stored.lastChange)
    }
}

extension RecordState {
    /// Whether all that is known of it stands in the columns of an ``UnwrittenRecord``.
    var isPlain: Bool {
        guard let fields = known.fields, known.deletion == nil, fields.stamps.named.isEmpty,
            fields.stamps.common == stamp, remoteKey == nil, observed == nil, editedOver.isEmpty, tombstone == nil
        else { return false }
        guard let remote else { return true }
        return remote.lastStamp == nil && remote.etag == nil && remote.content == fields.content
            && remote.fieldStamps == fields.stamps
    }
}

/// New records go into their table many at a time: that takes half of what single ones do. Whoever else looks into the
/// database finds them there, because ``db`` writes them first.
extension Transaction {
    /// Adds a record that has no row; gives the one that it gets.
    func insert(_ stored: StoredRecord, pending: Pending, now: UInt64) throws -> Int64 {
        let row = try (lastRow ?? storedLastRow()) + 1
        lastRow = row
        presence.insert(stored.state.key.id)
        let collection = try number(stored.state.key.collection)
        guard stored.state.isPlain else {
            let insert = try statements().insert
            insert.bind(stored, pending: pending, now: now)
            insert.bind(28, collection)
            insert.bind(29, stored.state.key.id)
            insert.bind(30, row)
            try insert.run()
            return row
        }
        let since = pending == .no ? nil : stored.pendingSince ?? Int64(now)
        unwrittenRecords.append(
            UnwrittenRecord(row: row, collection: collection, stored: stored, pending: pending, pendingSince: since))
        unwrittenIDs.append(stored.state.key.id.low)
        if unwrittenRecords.count == RowInserter.rowsAtOnce { try writeNewRecords() }
        return row
    }

    private func storedLastRow() throws -> Int64 {
        let highest = try HotStatement(connection, "SELECT max(row) FROM record")
        defer { highest.reset() }
        return try highest.next() ? highest.integer(0) ?? 0 : 0
    }

    /// Writes the new records that are not in their table yet.
    func writeNewRecords() throws {
        guard !unwrittenRecords.isEmpty else { return }
        try recordInserter.insert(unwrittenRecords) { record, statement, last in
            record.bind(to: statement, after: last)
        }
        unwrittenRecords.removeAll(keepingCapacity: true)
        unwrittenIDs.removeAll(keepingCapacity: true)
    }
}
