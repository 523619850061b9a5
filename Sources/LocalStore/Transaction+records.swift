internal import Foundation
internal import GRDB
internal import JSONText
internal import SQLiteFile
package import SyncModel

extension StoredRecord {
    /// That of a record of which nothing is known.
    fileprivate init(unknown key: RecordKey) {
        self.init(state: RecordState(key), row: nil, standing: .init(), pendingSince: nil)
    }
}

extension Transaction {
    /// The state of a record; an empty one where nothing is known of it.
    package func record(_ key: RecordKey) throws -> StoredRecord {
        guard presence.mayContain(key.id) else { return StoredRecord(unknown: key) }
        if unwrittenIDs.contains(key.id.low) { try writeNewRecords() }
        let find = try statements.find
        let collection = try knownOrNew(key.collection)
        if let next = try recordRun.next(key, collection, unacknowledged) { return next }
        find.bind(1, collection)
        find.bind(2, key.id)
        defer { find.reset() }
        guard try find.next() else { return StoredRecord(unknown: key) }
        let stored = find.record(key.collection, unacknowledged)
        try recordRun.found(stored.row, unacknowledged)
        return stored
    }

    func knownOrNew(_ collection: CollectionID) throws -> Int64 {
        if let number = collectionNumbers[collection] { return number }
        let number = try knownNumber(collection)
        if number >= 0 { collectionNumbers.add(collection, number) }
        return number
    }

    /// Stores a record's state.
    ///
    /// - Parameters:
    ///   - pending: whether it must be pushed, as SyncCore says.
    ///   - now: milliseconds since 1970.
    /// - Returns: its row.
    @discardableResult
    package func save(_ stored: StoredRecord, pending: Pending, now: UInt64) throws -> Int64 {
        let state = stored.state
        let collection = state.key.collection
        let row: Int64
        if let present = stored.row {
            row = present
            try update(stored, row: present, pending: pending, now: now)
        } else {
            row = try insert(stored, pending: pending, now: now)
        }
        let standing = state.standing(pending)
        count(collection) { counts in
            counts.records += (standing.live ? 1 : 0) - (stored.standing.live ? 1 : 0)
            counts.tombstones += (standing.tombstone ? 1 : 0) - (stored.standing.tombstone ? 1 : 0)
            counts.pending += (pending == .no ? 0 : 1) - (stored.standing.pending == .no ? 0 : 1)
        }
        if pending == .yes { effects.toPush.append(state.key) }
        return row
    }

    private func update(_ stored: StoredRecord, row: Int64, pending: Pending, now: UInt64) throws {
        recordRun.end()
        _ = try leaveRun(row)
        let update = try statements.update
        update.bind(stored, pending: pending, now: now)
        update.bind(28, row)
        try update.run()
    }

    package func acknowledge(
        _ key: RecordKey, row: Int64, _ sent: StampedContent, at stamp: Stamp
    ) throws -> Bool {
        guard sent.stamps == FieldStamps(stamp) else { return false }
        // Nothing has changed it since it was inserted, and its row was given once: just this was sent of it.
        if try leaveRun(row) {
            count(key.collection) { $0.pending -= 1 }
            return true
        }
        recordRun.end()
        let statement = try statements.acknowledge
        statement.bind(1, row)
        statement.bind(2, key.id)
        statement.bind(3, stamp)
        statement.bind(4, sent.content.hash)
        guard try statement.run() == 1 else { return false }
        count(key.collection) { $0.pending -= 1 }
        return true
    }
}

extension Transaction {
    package func forEachInBase(
        of collection: CollectionID, _ body: (_ row: Int64, _ id: RecordID) throws -> Void
    ) throws {
        let rows = try HotStatement(db, RecordIndex.select("row, id", where: "base >= 2"))
        rows.bind(1, try knownNumber(collection))
        defer { rows.reset() }
        while try rows.next() {
            if let row = rows.integer(0), unacknowledged.run(of: row) == nil, let id = rows.recordID(1) {
                try body(row, id)
            }
        }
    }

    package func records(of collection: CollectionID, under key: String) throws -> [RecordID] {
        let rows = try HotStatement(
            db, "SELECT id FROM record WHERE collection = ? AND remoteKey > ? AND remoteKey < ?")
        rows.bind(1, try knownNumber(collection))
        // What begins with the key and a slash stands before the key with the next character.
        rows.bind(2, "\(key)/")
        rows.bind(3, "\(key)0")
        return try ids(rows)
    }

    /// The ids that a statement gives in its first column.
    func ids(_ rows: HotStatement) throws -> [RecordID] {
        defer { rows.reset() }
        var ids: [RecordID] = []
        while try rows.next() { if let id = rows.recordID(0) { ids.append(id) } }
        return ids
    }

    /// A page of a collection's live records with ids above `after`, in the order of ids.
    package func page(
        of collection: CollectionID, after: RecordID?, limit: Int
    ) throws -> [StoredRecord] {
        let rows = try HotStatement(
            db,
            RecordIndex.select(RecordStatements.columns, where: "ofRecord > ?2 AND live = 1"))
        rows.bind(1, try knownNumber(collection))
        rows.bind(2, after?.bytes ?? [])
        return try all(rows, collection, limit: limit) { $0.standing.live }
    }

    /// The records whose id begins with these hexadecimal digits: at most `limit`.
    package func records(
        of collection: CollectionID, prefix digits: String, limit: Int
    ) throws -> [StoredRecord] {
        let low = digits + String(repeating: "0", count: max(0, 32 - digits.count))
        let high = digits + String(repeating: "f", count: max(0, 32 - digits.count))
        guard let low = Hexadecimal.bytes(of: low), let high = Hexadecimal.bytes(of: high) else { return [] }
        let rows = try HotStatement(
            db,
            RecordIndex.select(
                RecordStatements.columns,
                where: "ofRecord BETWEEN ?2 AND ?3 AND (live = 1 OR deletion IS NOT NULL)"))
        rows.bind(1, try knownNumber(collection))
        rows.bind(2, low)
        rows.bind(3, high)
        return try all(rows, collection, limit: limit) { _ in true }
    }

    private func all(
        _ rows: HotStatement, _ collection: CollectionID, limit: Int, where isWanted: (StoredRecord) -> Bool
    ) throws -> [StoredRecord] {
        defer { rows.reset() }
        var records: [StoredRecord] = []
        while records.count < limit, try rows.next() {
            let stored = rows.record(collection, unacknowledged)
            if isWanted(stored) { records.append(stored) }
        }
        return records
    }

    package func counts(of collection: CollectionID) throws -> CollectionCounts {
        var counts = try storedCounts(of: collection)
        if let changed = effects.counts[collection] { counts += changed }
        return counts
    }

    /// What was counted of each collection that the state knows.
    package func allCounts() throws -> [CollectionID: CollectionCounts] {
        let names = try String.fetchAll(db, sql: "SELECT name FROM collection").compactMap { CollectionID($0) }
        return Dictionary(try names.map { ($0, try counts(of: $0)) }) { first, _ in first }
    }

    func storedCounts(of collection: CollectionID) throws -> CollectionCounts {
        var counts = CollectionCounts()
        let row = try HotStatement(
            db,
            """
            SELECT records, tombstones, pending, quarantined, conflicts FROM counted
            JOIN collection ON number = collection WHERE name = ?
            """)
        row.bind(1, collection.name)
        defer { row.reset() }
        guard try row.next() else { return counts }
        counts.records = Int(row.integer(0) ?? 0)
        counts.tombstones = Int(row.integer(1) ?? 0)
        counts.pending = Int(row.integer(2) ?? 0)
        counts.quarantined = Int(row.integer(3) ?? 0)
        counts.conflicts = Int(row.integer(4) ?? 0)
        return counts
    }

    /// Keeps the counts with what was counted.
    func saveCounts() throws {
        for (collection, change) in effects.counts where change != CollectionCounts() {
            let save = try HotStatement(
                db,
                """
                INSERT INTO counted VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                records = records + excluded.records, tombstones = tombstones + excluded.tombstones,
                pending = pending + excluded.pending, quarantined = quarantined + excluded.quarantined,
                conflicts = conflicts + excluded.conflicts
                """)
            save.bind(1, try number(collection))
            let changes = [change.records, change.tombstones, change.pending, change.quarantined, change.conflicts]
            for (index, change) in changes.enumerated() { save.bind(Int32(index + 2), Int64(change)) }
            try save.run()
        }
    }

    /// Counts everything anew; what the numbers that are kept must be equal to.
    package func recount(_ collection: CollectionID) throws -> CollectionCounts {
        let number = try knownNumber(collection)
        var counts = CollectionCounts()
        let rows = try HotStatement(db, "SELECT \(RecordStatements.columns) FROM record WHERE collection = ?")
        rows.bind(1, number)
        defer { rows.reset() }
        while try rows.next() {
            let stored = rows.record(collection, unacknowledged)
            counts.records += stored.standing.live ? 1 : 0
            counts.tombstones += stored.standing.tombstone ? 1 : 0
            counts.pending += stored.pending == .no ? 0 : 1
        }
        func count(_ sql: String, _ arguments: StatementArguments) throws -> Int {
            try Int.fetchOne(try db.cachedStatement(sql: "SELECT count(*) FROM " + sql), arguments: arguments) ?? 0
        }
        counts.quarantined = try count("quarantine WHERE collection = ?", [collection.name])
        counts.conflicts = try count("conflict WHERE collection = ?", [number])
        return counts
    }
}
