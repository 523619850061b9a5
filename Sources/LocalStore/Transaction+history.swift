internal import Foundation
internal import GRDB
internal import JSONText
package import SyncModel

/// The change feed and the ledger as the history of records.
extension Transaction {
    private static let pastColumns =
        "sequence, kind, origin, collection, id, stamp, text, at, was, authors, previous, laterStamps"

    package func changes(
        of key: RecordKey, endingWith last: Int64?, before sequence: Int64, limit: Int
    ) throws -> [Change] {
        try chain(from: try record(key).lastChange ?? last, before: sequence, limit: limit).changes
    }

    /// The same with those of earlier records under the key, which are forgotten: looking for them reads all that is kept.
    package func allChanges(of key: RecordKey, before sequence: Int64 = .max, limit: Int) throws -> [Change] {
        var (changes, end) = try chain(from: try record(key).lastChange, before: sequence, limit: limit)
        let earlier = "SELECT max(sequence) FROM change WHERE collection = ? AND id = ? AND sequence < ?"
        while changes.count < limit,
            let last = try Int64.fetchOne(
                db, sql: earlier, arguments: [try knownNumber(key.collection), key.id.blob, end ?? .max])
        {
            let more = try chain(from: last, before: sequence, limit: limit - changes.count)
            changes += more.changes
            end = more.end ?? last
        }
        return changes
    }

    /// Whether the record began with a change: a create of one that had been deleted before is none, also where that is
    /// forgotten.
    package func isBeginning(_ change: Change) throws -> Bool {
        guard change.kind == .create else { return false }
        let find = "SELECT 1 FROM change WHERE sequence = ? AND previous IS NULL"
        return try Bool.fetchOne(db, sql: find, arguments: [change.sequence]) ?? false
    }

    /// Follows the changes of a record backwards.
    ///
    /// - Returns: the number of the last one that was looked at, too.
    private func chain(
        from last: Int64?, before sequence: Int64, limit: Int
    ) throws -> (changes: [Change], end: Int64?) {
        try writeChanges()
        let find = try db.cachedStatement(sql: "SELECT \(Transaction.pastColumns) FROM change WHERE sequence = ?")
        var changes: [Change] = []
        var (next, end) = (last, nil as Int64?)
        // The chain ends where its entries are forgotten.
        while changes.count < limit, let number = next, let row = try Row.fetchOne(find, arguments: [number]) {
            if number < sequence, let change = try changeWithPast(row) { changes.append(change) }
            (next, end) = (row[10], number)
        }
        return (changes, end)
    }

    /// The records that changed in a span of time (milliseconds since 1970, its end left out), each once, in the order
    /// they first did, with the number of each one's last change since.
    package func changedKeys(from: UInt64, until: UInt64) throws -> [(key: RecordKey, last: Int64)] {
        try writeChanges()
        return try Row.fetchAll(
            db,
            sql: """
                SELECT collection, id, max(sequence) FROM change WHERE at >= ?
                GROUP BY collection, id HAVING min(at) < ? ORDER BY min(sequence)
                """, arguments: [Int64(clamping: from), Int64(clamping: until)]
        ).compactMap { row in try row.recordID(1).map { (RecordKey(try name(row[0] as Int64), $0), row[2]) } }
    }

    /// The nodes that have changed something in such a span.
    package func authors(from: UInt64, until: UInt64) throws -> Set<NodeID> {
        try writeChanges()
        let rows = try Row.fetchAll(
            db, sql: "SELECT DISTINCT stamp, authors FROM change WHERE at >= ? AND at < ?",
            arguments: [Int64(clamping: from), Int64(clamping: until)])
        return try rows.reduce(into: []) { nodes, row in
            let named = try row.bytes(1).map { try JSONReader.members($0) } ?? [:]
            for author in named.values.compactMap({ $0.text.flatMap { ChangePast.Author($0) } }) {
                if case .node(let node) = author { nodes.insert(node) }
            }
            if named[""] == nil, let stamp = row.stamp(0) { nodes.insert(stamp.node) }
        }
    }

    /// When the oldest change that is kept took effect, in milliseconds since 1970; nil where none is.
    package func changesKeptSince() throws -> UInt64? {
        try writeChanges()
        return try Int64.fetchOne(db, sql: "SELECT at FROM change ORDER BY sequence LIMIT 1").map { UInt64($0) }
    }

    /// The entries after `sequence` with what they ended, at most `limit`.
    package func changesWithPast(after sequence: Int64, limit: Int) throws -> [Change] {
        try writeChanges()
        return try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT \(Transaction.pastColumns) FROM change WHERE sequence > ? ORDER BY sequence LIMIT ?"),
            arguments: [sequence, limit]
        ).compactMap(changeWithPast)
    }

    private func changeWithPast(_ row: Row) throws -> Change? {
        guard let kind = Change.Kind(rawValue: row[1]), let origin = Change.Origin(rawValue: row[2]),
            let id = row.recordID(4), let stamp = row.stamp(5)
        else { return nil }
        let was = try row.bytes(8).map { try JSONReader.members($0) }
        let authors = try row.bytes(9).map { try JSONReader.members($0) } ?? [:]
        var change = Change(
            sequence: row[0], kind: kind, origin: origin, key: RecordKey(try name(row[3]), id),
            version: Version(row.bytes(6).map(Content.init(canonicalText:)), stamp), at: UInt64(row[7] as Int64),
            past: was.map { ChangePast(was: $0, authors: authors.compactMapValues { $0.text.flatMap { .init($0) } }) })
        let stamps = row.bytes(11) ?? []
        change.laterStamps = stride(from: 0, to: stamps.count, by: Stamp.byteCount).compactMap {
            Stamp(bytes: Array(stamps[$0...].prefix(Stamp.byteCount)))
        }
        return change
    }

    /// How many later stamps of a change are known: an app that saves without one has it written back each time.
    private static let mostLaterStamps = 200

    package func note(laterStamp stamp: Stamp, ofChange sequence: Int64) throws {
        try writeChanges()
        try db.cachedStatement(
            sql: """
                UPDATE change SET laterStamps = substr(CAST(coalesce(laterStamps, x'') || ? AS BLOB), ?)
                WHERE sequence = ?
                """
        ).execute(arguments: [stamp.blob, -Transaction.mostLaterStamps * Stamp.byteCount, sequence])
    }
}

extension ChangePast {
    /// ``authors`` as JSON; nil where there are none.
    var authorsText: [UInt8]? {
        authors.isEmpty ? nil : JSONWriter.text(authors.mapValues { .string($0.description) })
    }
}
