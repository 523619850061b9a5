internal import GRDB
internal import SQLiteFile
internal import SyncModel

/// The marks of operations that were noted one after the other: a row of their table.
///
/// Marks are spread evenly, so a table in their order would have a page written for nearly each of them. They stand in the
/// order they came in instead; ``Presence`` knows which may be there, and all of them are read to find one that is.
struct OperationMarks {
    /// The number of the last of them: so many operations were noted up to it, in all rows.
    private let last: Int64
    /// When the first and the last of them were noted, milliseconds since 1970.
    private let since: Int64
    private let newest: Int64
    /// 16 bytes each; empty where there are too many to add to them.
    private let bytes: [UInt8]

    /// How many go into one row where they come one by one: a page of them.
    private static let most: Int64 = 250
    /// How many rows make up what is remembered at least, so that it is forgotten in small steps.
    private static let rows: Int64 = 25
    /// How many rows are forgotten at once, so that nobody waits for it.
    private static let mostForgotten = 100

    /// Adds marks that are not there, and forgets the oldest where there are too many, or, if wanted, they are too old.
    static func append(
        _ marks: [OperationMark], now: UInt64, forgetsOld: Bool, _ limits: StoreLimits, in db: Database
    ) throws {
        let now = Int64(clamping: now)
        let present = try present(in: db)
        let isOpen = present.map { present in
            !present.bytes.isEmpty && present.bytes.count / 16 < limits.operations / rows
                && now - present.since < limits.operationAge / rows
        }
        var (since, newest, bytes): (Int64, Int64, [UInt8]) = (now, now, [])
        if let present, isOpen == true {
            (since, newest, bytes) = (present.since, max(now, present.newest), present.bytes)
            try remove(present.last, from: db)
        }
        bytes.reserveCapacity(bytes.count + marks.count * 16)
        for mark in marks { mark.append(to: &bytes) }
        let last = (present?.last ?? 0) + Int64(marks.count)
        let insert = try HotStatement(db, "INSERT INTO operation (last, since, newest, marks) VALUES (?, ?, ?, ?)")
        insert.bind(1, last)
        insert.bind(2, since)
        insert.bind(3, newest)
        insert.bind(4, bytes)
        try insert.run()
        try forget(olderThan: forgetsOld ? now - limits.operationAge : .min, upTo: last - limits.operations, in: db)
    }

    /// Forgets the oldest where they are too old, or too many.
    private static func forget(olderThan cutoff: Int64, upTo last: Int64, in db: Database) throws {
        let oldest = try HotStatement(db, "SELECT last, newest FROM operation ORDER BY last LIMIT 1")
        defer { oldest.reset() }
        for _ in 0..<mostForgotten {
            guard try oldest.next(), let number = oldest.integer(0), let newest = oldest.integer(1),
                newest < cutoff || number <= last
            else { return }
            oldest.reset()
            try remove(number, from: db)
        }
    }

    /// The row that the last operations are in; nil where there is none.
    private static func present(in db: Database) throws -> OperationMarks? {
        let row = try HotStatement(
            db,
            """
            SELECT last, since, newest, iif(length(marks) < \(most * 16), marks, x'') FROM operation
            ORDER BY last DESC LIMIT 1
            """)
        defer { row.reset() }
        guard try row.next(), let last = row.integer(0), let since = row.integer(1), let newest = row.integer(2)
        else { return nil }
        return OperationMarks(last: last, since: since, newest: newest, bytes: row.bytes(3) ?? [])
    }

    private static func remove(_ last: Int64, from db: Database) throws {
        let delete = try HotStatement(db, "DELETE FROM operation WHERE last = ?")
        delete.bind(1, last)
        try delete.run()
    }
}

extension OperationMark {
    /// Calls `body` with each mark that is remembered, until it says that no more are needed. What is looked for is mostly
    /// among the last.
    static func forEach(in db: Database, _ body: (OperationMark) -> Bool) throws {
        let rows = try HotStatement(db, "SELECT marks FROM operation ORDER BY last DESC")
        defer { rows.reset() }
        while try rows.next() {
            guard let bytes = rows.blob(0) else { continue }
            for start in stride(from: 0, through: bytes.count - 16, by: 16) {
                let words = bytes.loadUnaligned(fromByteOffset: start, as: (UInt64, UInt64).self)
                guard body(OperationMark(words: (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1)))) else {
                    return
                }
            }
        }
    }

    fileprivate func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian)) { bytes.append(contentsOf: $0) }
    }
}
