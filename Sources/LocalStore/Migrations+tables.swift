internal import Foundation
internal import GRDB

/// The steps that make tables anew.
extension Migrations {
    /// The marks of operations many in a row, in the order they came in.
    static func marks(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE operation RENAME TO oldOperation;
                CREATE TABLE operation (
                    last INTEGER PRIMARY KEY, since INTEGER NOT NULL, newest INTEGER NOT NULL, marks BLOB NOT NULL
                ) STRICT;
                """)
        let old = try Row.fetchCursor(db, sql: "SELECT number, opID, at FROM oldOperation ORDER BY number")
        var (marks, since, last) = (Data(), Int64?.none, Int64(0))
        func write(_ newest: Int64) throws {
            try db.execute(
                sql: "INSERT INTO operation VALUES (?, ?, ?, ?)", arguments: [last, since ?? newest, newest, marks])
            (marks, since) = (Data(), nil)
        }
        var newest: Int64 = 0
        while let row = try old.next() {
            marks += row[1] as Data
            (last, newest) = (last + 1, row[2])
            since = since ?? newest
            if marks.count >= 4_000 { try write(newest) }
        }
        if !marks.isEmpty { try write(newest) }
        try db.execute(sql: "DROP TABLE oldOperation")
    }

    /// How far each hook is, and the events that it did not take.
    static func hooks(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE hook (
                    name TEXT PRIMARY KEY, cursor INTEGER NOT NULL, isConfigured INTEGER NOT NULL,
                    attempts INTEGER NOT NULL, since INTEGER, off TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE hookEvent (
                    hook TEXT NOT NULL, sequence INTEGER NOT NULL, since INTEGER NOT NULL, attempts INTEGER NOT NULL,
                    reason TEXT NOT NULL, isDue INTEGER NOT NULL, event BLOB NOT NULL, PRIMARY KEY (hook, sequence)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// The ledger by field. An edit that waited behind what an app wrote goes there.
    static func fieldsInLedger(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE conflict ADD COLUMN fields TEXT;
                ALTER TABLE conflict ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;
                INSERT INTO conflict (collection, id, at, rule, winnerStamp, winnerText, loserStamp, loserText)
                    SELECT collection, id, unixepoch() * 1000, 'laterStamp', stamp, text, keptStamp, keptText FROM record
                    WHERE keptStamp IS NOT NULL AND stamp IS NOT NULL;
                """)
    }

    /// Makes the table of records anew.
    ///
    /// - Parameters:
    ///   - last: what its definition ends with.
    ///   - source: gives all columns of what it has.
    private static func makeRecords(_ db: Database, _ last: String, _ source: String) throws {
        try db.execute(
            sql: """
                CREATE TABLE newRecord (
                    row INTEGER PRIMARY KEY,
                    collection INTEGER NOT NULL REFERENCES collection(number),
                    id BLOB NOT NULL,
                    stamp BLOB, text BLOB, hash BLOB, common BLOB, named BLOB, deletion BLOB,
                    base INTEGER NOT NULL, baseStamp BLOB, baseLast BLOB, baseHash BLOB, baseText BLOB,
                    baseCommon BLOB, baseNamed BLOB, baseETag TEXT, remoteKey TEXT,
                    observed BLOB, editedOver BLOB, tombStamp BLOB, tombEnded BLOB, tombETag TEXT,
                    ownStamp BLOB, fresh INTEGER, putBack INTEGER NOT NULL,
                    live INTEGER NOT NULL,
                    pending INTEGER NOT NULL, pendingSince INTEGER, \(last)
                ) STRICT;
                INSERT INTO newRecord \(source);
                DROP TABLE record;
                ALTER TABLE newRecord RENAME TO record;
                CREATE INDEX record_pending ON record(collection, pendingSince) WHERE pending > 0;
                """)
    }

    /// A stamp a field; counts that are kept, not counted.
    ///
    /// What was read of an app is an observation where nothing else is known of the record. Elsewhere what readers saw, which
    /// has what the app dropped, becomes what is known.
    static func fields(_ db: Database) throws {
        try makeRecords(
            db, "UNIQUE (collection, id)",
            """
            SELECT row, collection, id,
                stamp, iif(isObserved, NULL, text), iif(isObserved, NULL, hash), NULL, NULL,
                iif(text IS NULL, stamp, NULL),
                base, baseStamp, baseLast, baseHash, coalesce(baseText, text), baseStamp, NULL, baseETag, baseKey,
                iif(isObserved, coalesce(observed, stamp), NULL), NULL, tombStamp, tombEnded, tombETag,
                ownStamp, fresh, 0, text IS NOT NULL, pending, pendingSince
                FROM (SELECT *,
                    provisional AND base = 2 AND baseLast IS NULL AND keptStamp IS NULL AS isObserved FROM record)
            """)
        try db.execute(
            sql: """
                CREATE TABLE counted (
                    collection INTEGER PRIMARY KEY REFERENCES collection(number),
                    records INTEGER NOT NULL, tombstones INTEGER NOT NULL, pending INTEGER NOT NULL,
                    quarantined INTEGER NOT NULL, conflicts INTEGER NOT NULL
                ) STRICT;
                INSERT INTO counted SELECT number,
                    (SELECT count(*) FROM record WHERE collection = number AND live = 1),
                    (SELECT count(*) FROM record
                        WHERE collection = number AND live = 0 AND deletion IS NOT NULL),
                    (SELECT count(*) FROM record WHERE collection = number AND pending > 0),
                    (SELECT count(*) FROM quarantine WHERE quarantine.collection = name),
                    (SELECT count(*) FROM conflict WHERE conflict.collection = collection.number) FROM collection;
                """)
    }

    /// Records without an index of their ids in one piece: see ``RecordIndex``. What they have is copied as it is.
    static func levels(_ db: Database) throws {
        for level in ["recordLevel0", "recordLevel1", "recordLevel2"] {
            try db.execute(
                sql: """
                    CREATE TABLE \(level) (
                        ofCollection INTEGER NOT NULL, ofRecord BLOB NOT NULL, inRow INTEGER NOT NULL,
                        PRIMARY KEY (ofCollection, ofRecord)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        try db.execute(
            sql: "INSERT INTO recordLevel2 SELECT collection, id, row FROM record ORDER BY collection, id")
        try makeRecords(db, "lastChange INTEGER", "SELECT * FROM record")
        try db.execute(
            sql: """
                CREATE INDEX record_tombstone ON record(collection, tombStamp) WHERE tombStamp IS NOT NULL;
                CREATE INDEX record_deleted ON record(collection, deletion) WHERE live = 0;
                CREATE INDEX record_key ON record(collection, remoteKey) WHERE remoteKey IS NOT NULL;
                """)
    }
}
