internal import GRDB
internal import SQLiteFile
internal import SyncModel
internal import Synchronization

/// Which row has a record: an index in levels, as those of a log-structured merge tree.
///
/// Ids are random. In one large index each new one would change a page of its own, which goes to the log and from there to the
/// database: of a push of a million records that takes an eighth. New ones go into a small level; as soon as that is full, all
/// of it goes into the next one, in order, many to a page. A record is in one level.
final class RecordIndex: Sendable {
    /// The tables, the smallest one first.
    static let levels = ["recordLevel0", "recordLevel1", "recordLevel2"]

    static let table = RowInserter.Table(levels[0], "ofCollection, ofRecord, inRow")

    /// How many each level has, where that was counted. What a transaction has moved that is taken back is counted as moved:
    /// the level grows a little larger then.
    private let counts = Mutex([Int?](repeating: nil, count: levels.count))

    /// The row of a record by its collection and its id, which are the parameters 1 and 2.
    static let rowText =
        "coalesce("
        + levels.map { "(SELECT inRow FROM \($0) WHERE ofCollection = ?1 AND ofRecord = ?2)" }.joined(separator: ", ")
        + ")"

    /// Selects records of a collection, which is the parameter 1, in the order of ids.
    ///
    /// - Parameter condition: may name the id as `ofRecord`, and the record's columns.
    static func select(_ columns: String, where condition: String) -> String {
        // The order of the joins is the one that each level has already.
        levels.map { level in
            "SELECT \(columns), ofRecord FROM \(level) CROSS JOIN record ON row = inRow "
                + "WHERE ofCollection = ?1 AND \(condition)"
        }.joined(separator: " UNION ALL ") + " ORDER BY ofRecord"
    }

    /// Selects the ids of all records.
    static let idsText = levels.map { "SELECT ofRecord FROM \($0)" }.joined(separator: " UNION ALL ")

    /// Binds what the first level has of a record after a parameter.
    static func bind(
        _ collection: Int64, _ id: RecordID, row: Int64, to statement: HotStatement, after last: Int32
    ) {
        statement.bind(last + 1, collection)
        statement.bind(last + 2, id)
        statement.bind(last + 3, row)
    }

    /// Moves on what is too much in a level, at the end of a transaction that has added so many to the first one.
    ///
    /// - Parameter most: how many each level but the last one may have.
    func keep(within most: [Int], added: Int, in db: Database) throws {
        guard added > 0 else { return }
        try counts.withLock { counts in
            counts[0] = try counts[0].map { $0 + added } ?? RecordIndex.count(0, db)
            for level in most.indices {
                guard let count = counts[level], count > most[level] else { return }
                try db.execute(
                    sql: """
                        INSERT INTO \(RecordIndex.levels[level + 1]) SELECT * FROM \(RecordIndex.levels[level]);
                        DELETE FROM \(RecordIndex.levels[level]);
                        """)
                counts[level] = 0
                counts[level + 1] = try counts[level + 1].map { $0 + count } ?? RecordIndex.count(level + 1, db)
            }
        }
    }

    private static func count(_ level: Int, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(levels[level])") ?? 0
    }
}

extension Transaction {
    /// Adds a new record to the index.
    func addToIndex(_ collection: Int64, _ id: RecordID, row: Int64) throws {
        try indexInserter.insert([row]) { row, statement, last in
            RecordIndex.bind(collection, id, row: row, to: statement, after: last)
        }
        indexed += 1
    }

    /// Takes a record that goes out of the index.
    func removeFromIndex(_ key: RecordKey) throws {
        let collection = try number(key.collection)
        for level in RecordIndex.levels {
            let delete = try HotStatement(connection, "DELETE FROM \(level) WHERE ofCollection = ? AND ofRecord = ?")
            delete.bind(1, collection)
            delete.bind(2, key.id)
            try delete.run()
        }
    }
}
