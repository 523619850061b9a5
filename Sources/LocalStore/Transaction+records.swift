internal import Foundation
internal import GRDB
internal import JSONText
internal import SQLiteFile
package import SyncModel

extension Transaction {
    private func statements() throws -> RecordStatements {
        if let recordStatements { return recordStatements }
        let prepared = try RecordStatements(db)
        recordStatements = prepared
        return prepared
    }

    /// The state of a record; an empty one where nothing is known of it.
    package func record(_ key: RecordKey) throws -> StoredRecord {
        let find = try statements().find
        find.bind(1, try knownOrNew(key.collection))
        find.bind(2, key.id)
        defer { find.reset() }
        guard try find.next() else {
            return StoredRecord(state: RecordState(key), row: nil, before: .init(), pendingSince: nil)
        }
        return stored(find, key.collection)
    }

    private func knownOrNew(_ collection: CollectionID) throws -> Int64 {
        if let number = collectionNumbers[collection] { return number }
        let number = try knownNumber(collection)
        if number >= 0 { collectionNumbers[collection] = number }
        return number
    }

    func stored(_ row: HotStatement, _ collection: CollectionID) -> StoredRecord {
        let id = row.recordID(1) ?? RecordID(high: 0, low: 0)
        var state = RecordState(RecordKey(collection, id))
        if let stamp = row.stamp(2) { state.local = Version(content(row), stamp) }
        state.provisional = row.flag(5)
        state.overProvisional = row.flag(6)
        if let stamp = row.stamp(7) {
            state.shadowedEdit = Version(row.bytes(8).map(Content.init(canonicalText:)), stamp)
        }
        state.foreignStamp = row.stamp(9)
        state.ownStamp = row.stamp(10)
        state.newInRun = row.integer(11)
        state.blocked = row.stamp(12)
        state.base = base(row, local: state.local)
        if let stamp = row.stamp(20) {
            state.tombstone = KnownTombstone(stamp: stamp, contentHash: row.hash(21), etag: row.text(22))
        }
        let standing = StoredRecord.Standing(
            live: state.local?.content != nil, tombstone: state.local?.deleted ?? false,
            pending: row.integer(23).flatMap { Pending(rawValue: Int($0)) } ?? .no)
        return StoredRecord(state: state, row: row.integer(0), before: standing, pendingSince: row.integer(24))
    }

    private func content(_ row: HotStatement) -> Content? {
        guard let text = row.bytes(3), let hash = row.hash(4) else { return nil }
        return Content(text: text, hash: hash)
    }

    private func base(_ row: HotStatement, local: Version?) -> RecordState.Base {
        switch row.integer(13) {
        case 1: return .absent
        case 2:
            guard let hash = row.hash(16) else { return .unknown }
            let content: Content? = row.bytes(17).map { Content(text: $0, hash: hash) } ?? local?.content
            guard let content else { return .unknown }
            return .present(
                RemoteSnapshot(
                    stamp: row.stamp(14), lastStamp: row.stamp(15), content: content, etag: row.text(18),
                    key: row.text(19)))
        default: return .unknown
        }
    }

    /// Stores a record's state.
    ///
    /// - Parameters:
    ///   - pending: whether it must be pushed, as SyncCore says.
    ///   - now: milliseconds since 1970.
    package func save(_ stored: StoredRecord, pending: Pending, now: UInt64) throws {
        let state = stored.state
        let collection = state.key.collection
        let statement = try stored.row == nil ? statements().insert : statements().update
        bindLocal(state, statement)
        bindBase(state, statement)
        statement.bind(22, Int64(pending.rawValue))
        statement.bind(23, pending == .no ? nil : stored.pendingSince ?? Int64(now))
        if let row = stored.row {
            statement.bind(24, row)
        } else {
            statement.bind(24, try number(collection))
            statement.bind(25, state.key.id)
        }
        try statement.run()
        let live = state.local?.content != nil
        let tombstone = state.local?.deleted ?? false
        count(collection) { counts in
            counts.records += (live ? 1 : 0) - (stored.before.live ? 1 : 0)
            counts.tombstones += (tombstone ? 1 : 0) - (stored.before.tombstone ? 1 : 0)
            counts.pending += (pending == .no ? 0 : 1) - (stored.before.pending == .no ? 0 : 1)
        }
        if pending == .yes { effects.toPush.append(state.key) }
    }

    /// Notes that the remote holds a live record's version, in the simple case: nothing but the push has happened to
    /// the record since. False where it is not so simple, and nothing was changed.
    package func acknowledge(_ key: RecordKey, _ version: Version) throws -> Bool {
        let statement = try statements().acknowledge
        statement.bind(1, try knownOrNew(key.collection))
        statement.bind(2, key.id)
        statement.bind(3, version.stamp)
        statement.bind(4, version.hash)
        guard try statement.run() == 1 else { return false }
        count(key.collection) { $0.pending -= 1 }
        return true
    }

    private func bindLocal(_ state: RecordState, _ statement: HotStatement) {
        statement.bind(1, state.local?.stamp)
        statement.bind(2, state.local?.content?.text)
        statement.bind(3, state.local?.content?.hash)
        statement.bind(4, state.provisional ? 1 : 0)
        statement.bind(5, state.overProvisional ? 1 : 0)
        statement.bind(6, state.shadowedEdit?.stamp)
        statement.bind(7, state.shadowedEdit?.content?.text)
        statement.bind(8, state.foreignStamp)
        statement.bind(9, state.ownStamp)
        statement.bind(10, state.newInRun)
        statement.bind(11, state.blocked)
    }

    private func bindBase(_ state: RecordState, _ statement: HotStatement) {
        let kind: Int64 =
            switch state.base {
            case .unknown: 0
            case .absent: 1
            case .present: 2
            }
        let remote = state.remote
        let shared = remote?.content.hash == state.local?.content?.hash
        statement.bind(12, kind)
        statement.bind(13, remote?.stamp)
        statement.bind(14, remote?.lastStamp)
        statement.bind(15, remote?.content.hash)
        statement.bind(16, shared ? nil : remote?.content.text)
        statement.bind(17, remote?.etag)
        statement.bind(18, remote?.key)
        statement.bind(19, state.tombstone?.stamp)
        statement.bind(20, state.tombstone?.contentHash)
        statement.bind(21, state.tombstone?.etag)
    }
}

extension Transaction {
    /// The ids of all records of a collection whose base is known to be present.
    package func idsInBase(of collection: CollectionID) throws -> [RecordID] {
        try ids("base = 2", in: collection)
    }

    /// The ids of all records that must be pushed, those that wait longest first.
    package func pendingIDs(in collection: CollectionID) throws -> [RecordID] {
        try ids("pending = 1 AND pending > 0 ORDER BY pendingSince", in: collection)
    }

    private func ids(_ condition: String, in collection: CollectionID) throws -> [RecordID] {
        let cursor = try Row.fetchCursor(
            db, sql: "SELECT id FROM record WHERE collection = ? AND \(condition)",
            arguments: [try knownNumber(collection)])
        var ids: [RecordID] = []
        while let row = try cursor.next() { if let id = row.recordID(0) { ids.append(id) } }
        return ids
    }

    /// Since when the longest pending record of a collection waits, in milliseconds since 1970.
    package func oldestPending(in collection: CollectionID) throws -> Int64? {
        try Int64.fetchOne(
            try db.cachedStatement(
                sql: "SELECT min(pendingSince) FROM record WHERE collection = ? AND pending > 0"),
            arguments: [try knownNumber(collection)])
    }

    /// A page of a collection's live records with ids above `after`, in the order of ids.
    package func page(
        of collection: CollectionID, after: RecordID?, limit: Int
    ) throws -> [StoredRecord] {
        let rows = try HotStatement(
            db,
            """
            SELECT \(RecordStatements.columns) FROM record
            WHERE collection = ? AND id > ? AND text IS NOT NULL ORDER BY id LIMIT ?
            """)
        rows.bind(1, try knownNumber(collection))
        rows.bind(2, after?.bytes ?? [])
        rows.bind(3, Int64(limit))
        return try all(rows, collection)
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
            """
            SELECT \(RecordStatements.columns) FROM record
            WHERE collection = ? AND id BETWEEN ? AND ? AND stamp IS NOT NULL ORDER BY id LIMIT ?
            """)
        rows.bind(1, try knownNumber(collection))
        rows.bind(2, low)
        rows.bind(3, high)
        rows.bind(4, Int64(limit))
        return try all(rows, collection)
    }

    private func all(_ rows: HotStatement, _ collection: CollectionID) throws -> [StoredRecord] {
        defer { rows.reset() }
        var records: [StoredRecord] = []
        while try rows.next() { records.append(stored(rows, collection)) }
        return records
    }

    /// Counts everything anew; what the numbers kept in memory must be equal to.
    package func recount(_ collection: CollectionID) throws -> CollectionCounts {
        let number = try knownNumber(collection)
        func count(_ sql: String, _ arguments: StatementArguments) throws -> Int {
            try Int.fetchOne(db, sql: "SELECT count(*) FROM " + sql, arguments: arguments) ?? 0
        }
        var counts = CollectionCounts()
        counts.records = try count("record WHERE collection = ? AND text IS NOT NULL", [number])
        counts.tombstones = try count("record WHERE collection = ? AND text IS NULL AND stamp IS NOT NULL", [number])
        counts.pending = try count("record WHERE collection = ? AND pending > 0", [number])
        counts.quarantined = try count("quarantine WHERE collection = ?", [collection.name])
        counts.conflicts = try count("conflict WHERE collection = ?", [number])
        return counts
    }
}
