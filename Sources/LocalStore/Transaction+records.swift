internal import Foundation
internal import GRDB
internal import JSONText
package import SyncModel

/// Whether a record waits to be pushed.
package enum Pending: Int, Hashable, Sendable {
    case no = 0
    case yes = 1
    /// Pending, but refused by the remote or named by a hold.
    case blocked = 2
}

/// A record's state as the store holds it.
package struct StoredRecord: Hashable, Sendable {
    package var state: RecordState
    let row: Int64?
    let before: Standing
    /// Since when the record is pending, in milliseconds since 1970.
    package let pendingSince: Int64?

    /// What counts: whether it is live, a tombstone, pending.
    struct Standing: Hashable, Sendable {
        var live = false
        var tombstone = false
        var pending = Pending.no
    }

    package var pending: Pending { before.pending }
}

extension Transaction {
    static let columns = """
        row, id, stamp, text, hash, provisional, overProvisional, keptStamp, keptText, observed, ownStamp, fresh, \
        blocked, base, baseStamp, baseLast, baseHash, baseText, baseETag, baseKey, tombStamp, tombEnded, tombETag, \
        pending, pendingSince
        """

    /// The state of a record; an empty one where nothing is known of it.
    package func record(_ key: RecordKey) throws -> StoredRecord {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Transaction.columns) FROM record WHERE collection = ? AND id = ?")
        let row = try Row.fetchOne(statement, arguments: [try knownOrNew(key.collection), key.id.blob])
        return row.map { stored($0, key.collection) }
            ?? StoredRecord(state: RecordState(key), row: nil, before: .init(), pendingSince: nil)
    }

    private func knownOrNew(_ collection: CollectionID) throws -> Int64 {
        if let number = collectionNumbers[collection] { return number }
        let number = try knownNumber(collection)
        if number >= 0 { collectionNumbers[collection] = number }
        return number
    }

    func stored(_ row: Row, _ collection: CollectionID) -> StoredRecord {
        let id = row.recordID(1) ?? RecordID(high: 0, low: 0)
        var state = RecordState(RecordKey(collection, id))
        if let stamp = row.stamp(2) { state.local = Version(content(row, text: 3, hash: 4), stamp) }
        state.provisional = row[5]
        state.overProvisional = row[6]
        if let stamp = row.stamp(7) { state.kept = Version(row.bytes(8).map(Content.init(canonicalText:)), stamp) }
        state.observed = row.stamp(9)
        state.ownStamp = row.stamp(10)
        state.fresh = row[11]
        state.blocked = row.stamp(12)
        state.base = base(row, local: state.local)
        if let stamp = row.stamp(20) {
            state.tombstone = KnownTombstone(stamp: stamp, ended: row.hash(21), etag: row[22])
        }
        let standing = StoredRecord.Standing(
            live: state.local?.content != nil, tombstone: state.local?.deleted ?? false,
            pending: Pending(rawValue: row[23]) ?? .no)
        return StoredRecord(state: state, row: row[0], before: standing, pendingSince: row[24])
    }

    private func content(_ row: Row, text: Int, hash: Int) -> Content? {
        guard let text = row.bytes(text), let hash = row.hash(hash) else { return nil }
        return Content(text: text, hash: hash)
    }

    private func base(_ row: Row, local: Version?) -> RecordState.Base {
        switch row[13] as Int {
        case 1: return .absent
        case 2:
            guard let hash = row.hash(16) else { return .unknown }
            let content: Content? = row.bytes(17).map { Content(text: $0, hash: hash) } ?? local?.content
            guard let content else { return .unknown }
            return .present(
                BaseNode(stamp: row.stamp(14), lastStamp: row.stamp(15), content: content, etag: row[18], key: row[19]))
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
        let since = pending == .no ? nil : stored.pendingSince ?? Int64(now)
        let standing: [(any DatabaseValueConvertible)?] = [pending.rawValue, since]
        let values = try baseValues(state) + standing
        if let row = stored.row {
            try db.cachedStatement(sql: Transaction.update)
                .execute(
                    arguments: StatementArguments(
                        localValues(state) + values + [row as (any DatabaseValueConvertible)?]))
        } else {
            let key: [(any DatabaseValueConvertible)?] = [try number(collection), state.key.id.blob]
            try db.cachedStatement(sql: Transaction.insert)
                .execute(arguments: StatementArguments(key + localValues(state) + values))
        }
        let live = state.local?.content != nil
        let tombstone = state.local?.deleted ?? false
        count(collection) { counts in
            counts.records += (live ? 1 : 0) - (stored.before.live ? 1 : 0)
            counts.tombstones += (tombstone ? 1 : 0) - (stored.before.tombstone ? 1 : 0)
            counts.pending += (pending == .no ? 0 : 1) - (stored.before.pending == .no ? 0 : 1)
        }
        if pending == .yes { effects.toPush.append(state.key) }
    }

    private static let names = """
        stamp, text, hash, provisional, overProvisional, keptStamp, keptText, observed, ownStamp, fresh, blocked, \
        base, baseStamp, baseLast, baseHash, baseText, baseETag, baseKey, tombStamp, tombEnded, tombETag, \
        pending, pendingSince
        """

    private static let update =
        "UPDATE record SET "
        + names.split(separator: ", ").map { "\($0) = ?" }.joined(separator: ", ") + " WHERE row = ?"

    private static let insert =
        "INSERT INTO record (collection, id, \(names)) VALUES ("
        + Array(repeating: "?", count: 25).joined(separator: ", ") + ")"

    private func localValues(_ state: RecordState) -> [(any DatabaseValueConvertible)?] {
        [
            state.local?.stamp.blob, state.local?.content?.text.blob, state.local?.content?.hash.blob,
            state.provisional, state.overProvisional, state.kept?.stamp.blob, state.kept?.content?.text.blob,
            state.observed?.blob, state.ownStamp?.blob, state.fresh, state.blocked?.blob,
        ]
    }

    private func baseValues(_ state: RecordState) throws -> [(any DatabaseValueConvertible)?] {
        let tombstone: [(any DatabaseValueConvertible)?] = [
            state.tombstone?.stamp.blob, state.tombstone?.ended?.blob, state.tombstone?.etag,
        ]
        switch state.base {
        case .unknown: return [0, nil, nil, nil, nil, nil, nil] + tombstone
        case .absent: return [1, nil, nil, nil, nil, nil, nil] + tombstone
        case .present(let node):
            let shared = node.content.hash == state.local?.content?.hash
            return [
                2, node.stamp?.blob, node.lastStamp?.blob, node.content.hash.blob,
                shared ? nil : node.content.text.blob, node.etag, node.key,
            ] + tombstone
        }
    }
}

extension Transaction {
    /// Calls `body` with each record of a collection whose base is known to be present, in the order of insertion.
    package func forEachBased(in collection: CollectionID, _ body: (RecordID, StoredRecord) throws -> Void) throws {
        let cursor = try Row.fetchCursor(
            db, sql: "SELECT \(Transaction.columns) FROM record WHERE collection = ? AND base = 2",
            arguments: [try knownNumber(collection)])
        while let row = try cursor.next() {
            let record = stored(row, collection)
            try body(record.state.key.id, record)
        }
    }

    /// The ids of all records of a collection whose base is known to be present.
    package func basedIDs(in collection: CollectionID) throws -> [RecordID] {
        try ids("base = 2", in: collection)
    }

    /// The ids of all records of a collection that the remote is known to keep a tombstone of.
    package func tombstoneIDs(in collection: CollectionID) throws -> [RecordID] {
        try ids("tombStamp IS NOT NULL", in: collection)
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
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(Transaction.columns) FROM record
                WHERE collection = ? AND id > ? AND text IS NOT NULL ORDER BY id LIMIT ?
                """,
            arguments: [try knownNumber(collection), after?.blob ?? Data(), limit])
        return rows.map { stored($0, collection) }
    }

    /// The records whose id begins with these hexadecimal digits: at most `limit`.
    package func records(
        of collection: CollectionID, prefix digits: String, limit: Int
    ) throws -> [StoredRecord] {
        let low = digits + String(repeating: "0", count: max(0, 32 - digits.count))
        let high = digits + String(repeating: "f", count: max(0, 32 - digits.count))
        guard let low = Hexadecimal.bytes(of: low), let high = Hexadecimal.bytes(of: high) else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(Transaction.columns) FROM record
                WHERE collection = ? AND id BETWEEN ? AND ? AND stamp IS NOT NULL ORDER BY id LIMIT ?
                """,
            arguments: [try knownNumber(collection), low.blob, high.blob, limit])
        return rows.map { stored($0, collection) }
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
