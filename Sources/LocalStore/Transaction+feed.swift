internal import Foundation
internal import GRDB
internal import JSONText
internal import SQLiteFile
package import SyncModel

extension Transaction {
    /// How many entries of the change feed are kept at least. Older ones are forgotten when ``noteFeedWritten(upTo:keeping:)``
    /// says that they are written elsewhere.
    package static let keptChanges: Int64 = 200_000

    /// Adds an entry to the change feed. It is written with its like, at the latest when the transaction ends or the feed
    /// is read.
    @discardableResult
    package func append(
        change kind: Change.Kind, origin: Change.Origin, of key: RecordKey, _ version: Version, at: UInt64,
        past: ChangePast? = nil, previous: Int64? = nil
    ) throws -> Int64 {
        let sequence = try (lastSequence ?? storedLastSequence()) + 1
        lastSequence = sequence
        unwritten.append(
            UnwrittenChange(
                sequence: sequence, previous: previous, kind: kind, origin: origin,
                collection: try number(key.collection), id: key.id, version: version, at: at,
                was: past.map { JSONWriter.text($0.was) }, authors: past?.authorsText))
        effects.changes += 1
        if unwritten.count == RowInserter.rowsAtOnce { try writeChanges() }
        return sequence
    }

    /// The highest number that an entry ever had, also where that one is forgotten.
    package func storedLastSequence() throws -> Int64 {
        try Int64.fetchOne(try db.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'change'")) ?? 0
    }

    /// Writes what was appended to the feed.
    func writeChanges() throws {
        guard !unwritten.isEmpty else { return }
        try changeInserter.insert(unwritten) { change, statement, last in change.bind(to: statement, after: last) }
        unwritten.removeAll(keepingCapacity: true)
    }

    private static let feedWritten = "feed.written"
    /// How many entries one transaction forgets, so that nobody waits for it, and how many it must be to be worth it.
    private static let forgotten: ClosedRange<Int64> = 1_000...20_000

    /// The last entry that was noted to be written; nil before the first.
    package func feedWritten() throws -> Int64? {
        try value(Transaction.feedWritten).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }

    /// Notes that all entries up to `sequence` are durable in the feed's file, and forgets old ones of these, many at a
    /// time; the last `keeping` entries are forgotten only where they are from before `cutoff` (milliseconds since 1970).
    /// The last one stays, and so does what a hook still has to be told of.
    package func noteFeedWritten(
        upTo sequence: Int64, keeping: Int64 = keptChanges, forgettingBefore cutoff: UInt64 = 0
    ) throws {
        try setValue(Transaction.feedWritten, Array(String(sequence).utf8))
        guard let (first, last) = try changeBounds() else { return }
        let expired = cutoff > 0 ? try lastExpired(before: cutoff) : nil
        let mayGo = min(sequence, last - 1, try lowestHookCursor() ?? .max)
        let count = min(mayGo, max(last - keeping, expired ?? 0)) - first + 1
        guard count >= (expired == nil ? Transaction.forgotten.lowerBound : 1) else { return }
        try db.execute(
            sql: "DELETE FROM change WHERE sequence < ?",
            arguments: [first + min(count, Transaction.forgotten.upperBound)])
    }

    /// The last of the oldest entries that are all from before `cutoff`; nil where none is.
    private func lastExpired(before cutoff: UInt64) throws -> Int64? {
        guard try oldestChange().map({ $0 < Int64(clamping: cutoff) }) ?? false else { return nil }
        let old = try HotStatement(
            db,
            """
            SELECT coalesce(min(iif(at >= ?2, sequence, NULL)) - 1, max(sequence)), min(sequence)
            FROM (SELECT sequence, at FROM change ORDER BY sequence LIMIT ?1)
            """)
        old.bind(1, Transaction.forgotten.upperBound)
        old.bind(2, Int64(clamping: cutoff))
        defer { old.reset() }
        guard try old.next(), let last = old.integer(0), let first = old.integer(1), last >= first else { return nil }
        return last
    }

    /// When the oldest entry was written, milliseconds since 1970; nil where there is none.
    private func oldestChange() throws -> Int64? {
        let first = try HotStatement(db, "SELECT at FROM change ORDER BY sequence LIMIT 1")
        defer { first.reset() }
        return try first.next() ? first.integer(0) : nil
    }

    /// The entries after `sequence`, at most `limit`.
    package func changes(after sequence: Int64, limit: Int) throws -> [Change] {
        try storedChanges(after: sequence, limit: limit).map { stored in
            Change(
                sequence: stored.sequence, kind: stored.kind, origin: stored.origin, key: stored.key,
                version: Version(stored.text.map(Content.init(canonicalText:)), stored.stamp), at: stored.at)
        }
    }

    /// The same, as they are stored.
    package func storedChanges(after sequence: Int64, limit: Int) throws -> [StoredChange] {
        try writeChanges()
        let rows = try HotStatement(
            db,
            """
            SELECT sequence, kind, origin, collection, id, stamp, text, at FROM change
            WHERE sequence > ? ORDER BY sequence LIMIT ?
            """)
        rows.bind(1, sequence)
        rows.bind(2, Int64(limit))
        defer { rows.reset() }
        var changes: [StoredChange] = []
        while try rows.next() { if let change = try change(rows) { changes.append(change) } }
        return changes
    }

    private func change(_ row: HotStatement) throws -> StoredChange? {
        guard let kind = row.text(1).flatMap(Change.Kind.init), let origin = row.text(2).flatMap(Change.Origin.init),
            let id = row.recordID(4), let stamp = row.stamp(5)
        else { return nil }
        return StoredChange(
            sequence: row.integer(0) ?? 0, kind: kind, origin: origin,
            key: RecordKey(try name(row.integer(3) ?? 0), id), stamp: stamp, text: row.bytes(6),
            at: UInt64(row.integer(7) ?? 0))
    }

    /// The first and the last sequence number that is kept; nil where the feed is empty.
    package func changeBounds() throws -> (first: Int64, last: Int64)? {
        try writeChanges()
        return try bounds("change", "sequence").map { ($0.lowerBound, $0.upperBound) }
    }
}

extension Transaction {
    /// Adds a decided conflict to the ledger; one that it has already, which another reading has shown once more, is not
    /// added again. A line that claims an earlier time may have a stamp under which another value has lost already.
    package func append(conflict entry: LedgerEntry) throws {
        let winner = entry.winner
        let loser = entry.loser
        let fields = String(decoding: JSONWriter.text(.array(entry.fields.map { .string($0) })), as: UTF8.self)
        let isThere = try db.cachedStatement(
            sql: """
                SELECT 1 FROM conflict
                WHERE collection = ? AND id = ? AND rule = ? AND winnerStamp = ? AND loserStamp = ? AND fields = ?
                    AND loserText IS ?
                """)
        let arguments: StatementArguments = [
            try number(entry.key.collection), entry.key.id.blob, entry.rule, winner.stamp.blob, loser.stamp.blob,
            fields, loser.content?.text.blob,
        ]
        if try Int.fetchOne(isThere, arguments: arguments) != nil { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO conflict (collection, id, at, rule, winnerStamp, winnerText, loserStamp, loserText, fields)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            try number(entry.key.collection), entry.key.id.blob, Int64(entry.at), entry.rule, winner.stamp.blob,
            winner.content?.text.blob, loser.stamp.blob, loser.content?.text.blob, fields,
        ])
        count(entry.key.collection) { $0.conflicts += 1 }
        var numbered = entry
        numbered.number = connection.lastInsertedRowID
        effects.decided.append(numbered)
    }

    private static let conflictQuery = """
        SELECT number, collection, id, at, rule, winnerStamp, winnerText, loserStamp, loserText, fields, restored
        FROM conflict
        """

    /// The ledger's entries, newest first: those with numbers below `number` (0: all), at most `limit`.
    package func conflicts(before number: Int64, limit: Int) throws -> [LedgerEntry] {
        try Row.fetchAll(
            db, sql: "\(Transaction.conflictQuery) WHERE number < ? ORDER BY number DESC LIMIT ?",
            arguments: [number == 0 ? Int64.max : number, limit]
        ).compactMap(ledgerEntry)
    }

    /// The entries about one record, newest first.
    package func conflicts(of key: RecordKey) throws -> [LedgerEntry] {
        try Row.fetchAll(
            db, sql: "\(Transaction.conflictQuery) WHERE collection = ? AND id = ? ORDER BY number DESC",
            arguments: [try knownNumber(key.collection), key.id.blob]
        ).compactMap(ledgerEntry)
    }

    /// The last entry about a record that says what was given up, and was not written back since.
    package func givenUp(of key: RecordKey) throws -> LedgerEntry? {
        try Row.fetchOne(
            db,
            sql: """
                \(Transaction.conflictQuery) WHERE collection = ? AND id = ? AND rule = 'dropped' AND restored = 0
                ORDER BY number DESC LIMIT 1
                """,
            arguments: [try knownNumber(key.collection), key.id.blob]
        ).flatMap(ledgerEntry)
    }

    /// The entry with this number, or nil.
    package func conflict(_ number: Int64) throws -> LedgerEntry? {
        try Row.fetchOne(db, sql: "\(Transaction.conflictQuery) WHERE number = ?", arguments: [number])
            .flatMap(ledgerEntry)
    }

    /// Notes that what lost was written back as a new edit.
    package func setRestored(conflict number: Int64) throws {
        try db.execute(sql: "UPDATE conflict SET restored = 1 WHERE number = ?", arguments: [number])
    }

    private func ledgerEntry(_ row: Row) throws -> LedgerEntry? {
        guard let id = row.recordID(2), let winner = row.stamp(5), let loser = row.stamp(7) else { return nil }
        let fields = (row[9] as String?).flatMap { try? JSONReader.value(Array($0.utf8)) }
        var names: [String] = []
        if case .array(let elements)? = fields { names = elements.compactMap(\.text) }
        return LedgerEntry(
            number: row[0], key: RecordKey(try name(row[1]), id), at: UInt64(row[3] as Int64), rule: row[4],
            fields: names, winner: Version(row.bytes(6).map(Content.init(canonicalText:)), winner),
            loser: Version(row.bytes(8).map(Content.init(canonicalText:)), loser), restored: row[10] as Int64 == 1)
    }
}

/// An entry of the feed as it is stored: what its text says was not looked at.
package struct StoredChange: Sendable {
    package let sequence: Int64
    package let kind: Change.Kind
    package let origin: Change.Origin
    package let key: RecordKey
    /// Zero where a record went away that never had one.
    package let stamp: Stamp
    /// The canonical text of the record after the change; nil for a delete.
    package let text: [UInt8]?
    /// When it took effect here, in milliseconds since 1970.
    package let at: UInt64
}

/// An entry of the feed that was appended, and is not in its table yet.
struct UnwrittenChange {
    var sequence: Int64
    /// The number of the record's entry before this one.
    var previous: Int64?
    var kind: Change.Kind
    var origin: Change.Origin
    var collection: Int64
    var id: RecordID
    var version: Version
    var at: UInt64
    /// What a history needs of what was before, as ``ChangePast`` has it.
    var was: [UInt8]?
    var authors: [UInt8]?

    static let table = RowInserter.Table(
        "change", "kind, origin, collection, id, stamp, text, at, was, authors, sequence, previous")

    /// Binds its parameters after `last`.
    fileprivate func bind(to statement: HotStatement, after last: Int32) {
        statement.bind(last + 1, kind.rawValue)
        statement.bind(last + 2, origin.rawValue)
        statement.bind(last + 3, collection)
        statement.bind(last + 4, id)
        statement.bind(last + 5, version.stamp)
        statement.bind(last + 6, version.content?.text)
        statement.bind(last + 7, Int64(at))
        statement.bind(last + 8, was)
        statement.bind(last + 9, authors)
        statement.bind(last + 10, sequence)
        statement.bind(last + 11, previous)
    }
}
