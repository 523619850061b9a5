internal import Foundation
internal import GRDB
internal import SQLiteFile
package import SyncModel

extension Transaction {
    /// Raises a hold and gives its number.
    package func raise(_ hold: Hold) throws -> Int64 {
        try db.cachedStatement(
            sql: """
                INSERT INTO hold (kind, collection, record, direction, reason, since, until, person)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            hold.word, hold.collection?.name, hold.record?.description, hold.direction.rawValue,
            hold.template, Int64(hold.since), hold.until.map { Int64($0) }, hold.person,
        ])
        effects.holdsChanged = true
        var raised = hold
        raised.number = connection.lastInsertedRowID
        effects.raised.append(raised)
        return raised.number
    }

    package func setReason(_ reason: String, ofHold number: Int64) throws {
        try db.cachedStatement(sql: "UPDATE hold SET reason = ? WHERE number = ?").execute(arguments: [reason, number])
        effects.holdsChanged = true
    }

    package func removeHold(_ number: Int64) throws {
        anyHeldCached = nil
        try db.cachedStatement(sql: "DELETE FROM held WHERE hold = ?").execute(arguments: [number])
        try db.cachedStatement(sql: "DELETE FROM hold WHERE number = ?").execute(arguments: [number])
        effects.holdsChanged = true
    }

    package func holds() throws -> [Hold] {
        try Row.fetchAll(try db.cachedStatement(sql: Transaction.allHolds)).compactMap(hold)
    }

    package func holds(of kind: HoldKind) throws -> [Hold] {
        try Row.fetchAll(
            try db.cachedStatement(sql: Transaction.holdQuery + "WHERE kind = ? ORDER BY number"),
            arguments: [kind.rawValue]
        ).compactMap(hold)
    }

    package func hold(_ number: Int64) throws -> Hold? {
        try Row.fetchOne(
            try db.cachedStatement(sql: Transaction.holdQuery + "WHERE number = ?"), arguments: [number]
        ).flatMap(hold)
    }

    private static let holdQuery =
        "SELECT number, kind, collection, record, direction, reason, since, until, person, count FROM hold "
    private static let allHolds = holdQuery + "ORDER BY number"

    private func hold(_ row: Row) -> Hold? {
        guard let direction = Direction(rawValue: row[4]) else { return nil }
        var hold = Hold(row[1], direction, reason: row[5], since: UInt64(row[6] as Int64))
        hold.number = row[0]
        hold.collection = (row[2] as String?).flatMap { CollectionID($0) }
        hold.record = (row[3] as String?).flatMap { RecordID($0) }
        hold.until = (row[7] as Int64?).map { UInt64($0) }
        hold.person = row[8]
        hold.count = row[9]
        return hold
    }

    package func insertHeld(
        _ key: RecordKey, hold: Int64, payload: [UInt8]?, lastEdit: Stamp, source: LineSource?
    ) throws {
        anyHeldCached = nil
        effects.holdsChanged = true
        if try !names(key, hold: hold) { try count(1, ofHold: hold) }
        try db.cachedStatement(
            sql: """
                INSERT INTO held (hold, collection, id, payload, lastEdit, file, offset, length, madeAt)
                    SELECT number, ?, ?, ?, ?, ?, ?, ?, ? FROM hold WHERE number = ?
                """
        ).execute(arguments: [
            try number(key.collection), key.id.blob, payload?.blob, lastEdit.blob, source?.file, source?.offset,
            source?.length, source?.madeAt.map { Int64(clamping: $0) }, hold,
        ])
        guard connection.changesCount == 1 else {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "there is no hold \(hold)")
        }
    }

    /// Whether any hold names a record at all: most of the time none does.
    package func anyHeld() throws -> Bool {
        if let anyHeldCached { return anyHeldCached }
        let any = try HotStatement(connection, "SELECT EXISTS (SELECT 1 FROM held)").isTrue()
        anyHeldCached = any
        return any
    }

    /// What holds name this record, in the order it happened.
    package func held(_ key: RecordKey) throws -> [HeldRecord] {
        guard try anyHeld() else { return [] }
        let statement = try db.cachedStatement(
            sql:
                "SELECT \(Transaction.heldColumns) FROM held WHERE collection = ? AND id = ? ORDER BY number"
        )
        return try Row.fetchAll(statement, arguments: [try knownNumber(key.collection), key.id.blob]).compactMap(
            heldRecord)
    }

    package func isHeld(_ key: RecordKey) throws -> Bool {
        guard try anyHeld() else { return false }
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM held WHERE collection = ? AND id = ?)")
        return try Bool.fetchOne(statement, arguments: [try knownNumber(key.collection), key.id.blob]) ?? false
    }

    package func lastWaitingLine(of key: RecordKey, but numbers: Set<Int64>) throws -> HeldRecord? {
        guard try anyHeld() else { return nil }
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(Transaction.heldColumns) FROM held
                WHERE collection = ? AND id = ? AND payload IS NOT NULL
                    AND EXISTS (SELECT 1 FROM hold WHERE hold.number = held.hold AND direction = 'journal')
                ORDER BY number DESC
                """)
        let rows = try Row.fetchCursor(statement, arguments: [try knownNumber(key.collection), key.id.blob])
        while let row = try rows.next() {
            if !numbers.contains(row[0]) { return try heldRecord(row) }
        }
        return nil
    }

    package func waits(_ line: ArraySlice<UInt8>, of key: RecordKey) throws -> Bool {
        let line = Data(line)
        if try anyHeld() {
            let statement = try db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM held WHERE collection = ? AND id = ? AND payload = ?)")
            let isHeld = try Bool.fetchOne(
                statement, arguments: [try knownNumber(key.collection), key.id.blob, line])
            if isHeld ?? false { return true }
        }
        guard try anyQuarantined() else { return false }
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM quarantine WHERE collection = ? AND record = ? AND source = 'journal' AND payload = ?)
                """)
        return try Bool.fetchOne(statement, arguments: [key.collection.name, key.id.description, line]) ?? false
    }

    /// All that a hold names, in the order it happened.
    package func held(by hold: Int64) throws -> [HeldRecord] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT \(Transaction.heldColumns) FROM held WHERE hold = ? ORDER BY number"),
            arguments: [hold]
        ).compactMap(heldRecord)
    }

    package func removeHeld(_ held: HeldRecord) throws {
        anyHeldCached = nil
        effects.holdsChanged = true
        try db.cachedStatement(sql: "DELETE FROM held WHERE number = ?").execute(arguments: [held.number])
        if try !names(held.key, hold: held.hold) { try count(-1, ofHold: held.hold) }
    }

    private static let heldColumns = "number, hold, collection, id, payload, lastEdit, file, offset, length, madeAt"

    private func heldRecord(_ row: Row) throws -> HeldRecord? {
        guard let id = row.recordID(3) else { return nil }
        let source = (row[6] as String?).map { file in
            LineSource(
                file: file, offset: row[7] ?? 0, length: row[8] ?? 0,
                madeAt: (row[9] as Int64?).map { UInt64(clamping: $0) })
        }
        return HeldRecord(
            number: row[0], hold: row[1], key: RecordKey(try name(row[2] as Int64), id), payload: row.bytes(4),
            lastEdit: row.stamp(5), source: source)
    }
}
