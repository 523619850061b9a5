internal import Foundation
internal import GRDB

/// The schema, as an append-only list of named steps that are never edited.
enum Migrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 records") { db in
            try db.execute(
                sql: """
                    CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
                    CREATE TABLE collection (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                    CREATE TABLE record (
                        row INTEGER PRIMARY KEY,
                        collection INTEGER NOT NULL REFERENCES collection(number),
                        id BLOB NOT NULL,
                        stamp BLOB, text BLOB, hash BLOB,
                        provisional INTEGER NOT NULL, overProvisional INTEGER NOT NULL,
                        keptStamp BLOB, keptText BLOB, observed BLOB, ownStamp BLOB, fresh INTEGER, blocked BLOB,
                        base INTEGER NOT NULL,
                        baseStamp BLOB, baseLast BLOB, baseHash BLOB, baseText BLOB, baseETag TEXT, baseKey TEXT,
                        tombStamp BLOB, tombEnded BLOB, tombETag TEXT,
                        pending INTEGER NOT NULL, pendingSince INTEGER,
                        UNIQUE (collection, id)
                    ) STRICT;
                    CREATE INDEX record_pending ON record(collection, pendingSince) WHERE pending > 0;
                    CREATE TABLE change (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        kind TEXT NOT NULL, origin TEXT NOT NULL,
                        collection INTEGER NOT NULL, id BLOB NOT NULL, stamp BLOB NOT NULL, text BLOB,
                        at INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE conflict (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        collection INTEGER NOT NULL, id BLOB NOT NULL, at INTEGER NOT NULL, rule TEXT NOT NULL,
                        winnerStamp BLOB NOT NULL, winnerText BLOB, loserStamp BLOB NOT NULL, loserText BLOB
                    ) STRICT;
                    CREATE TABLE quarantine (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        source TEXT NOT NULL, collection TEXT, record TEXT, code TEXT NOT NULL, reason TEXT NOT NULL,
                        since INTEGER NOT NULL, attempts INTEGER NOT NULL,
                        file TEXT, offset INTEGER, length INTEGER, stamp BLOB, payload BLOB
                    ) STRICT;
                    CREATE INDEX quarantine_record ON quarantine(collection, record);
                    CREATE TABLE hold (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        kind TEXT NOT NULL, collection TEXT, record TEXT, direction TEXT NOT NULL,
                        reason TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER
                    ) STRICT;
                    CREATE TABLE held (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        hold INTEGER NOT NULL REFERENCES hold(number) ON DELETE CASCADE,
                        collection INTEGER NOT NULL, id BLOB NOT NULL, payload BLOB
                    ) STRICT;
                    CREATE INDEX held_record ON held(collection, id);
                    CREATE TABLE operation (opID BLOB PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("2 fields") { db in
            try fieldsInLedger(db)
            try fields(db)
        }
        migrator.registerMigration("3 limits") { db in
            // Numbered, so that the oldest are found; an index, so that what a source has in quarantine is counted fast.
            try db.execute(
                sql: """
                    CREATE TABLE newOperation (
                        number INTEGER PRIMARY KEY, opID BLOB NOT NULL UNIQUE, at INTEGER NOT NULL
                    ) STRICT;
                    INSERT INTO newOperation (opID, at) SELECT opID, at FROM operation ORDER BY at;
                    DROP TABLE operation;
                    ALTER TABLE newOperation RENAME TO operation;
                    CREATE INDEX quarantine_source ON quarantine(collection, source);
                    """)
        }
        migrator.registerMigration("4 attempts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE attempted (
                        collection TEXT NOT NULL, record TEXT NOT NULL, stamp BLOB, since INTEGER NOT NULL,
                        attempts INTEGER NOT NULL, PRIMARY KEY (collection, record)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("5 past") { db in
            try db.execute(
                sql: """
                    ALTER TABLE change ADD COLUMN was BLOB;
                    ALTER TABLE change ADD COLUMN authors BLOB;
                    CREATE INDEX change_record ON change(collection, id);
                    CREATE INDEX conflict_record ON conflict(collection, id);
                    """)
        }
        migrator.registerMigration("6 peers") { db in
            // So that the oldest tombstones and deletes are found without looking at all records.
            try db.execute(
                sql: """
                    CREATE INDEX record_tombstone ON record(collection, tombStamp) WHERE tombStamp IS NOT NULL;
                    CREATE INDEX record_deleted ON record(collection, deletion) WHERE live = 0;
                    """)
        }
        migrator.registerMigration("7 chain") { db in
            // A record knows its last change, and each change the one before: that costs nothing at an edit, while an index
            // whose order is that of random ids costs a page.
            try db.execute(
                sql: """
                    ALTER TABLE record ADD COLUMN lastChange INTEGER;
                    ALTER TABLE change ADD COLUMN previous INTEGER;
                    UPDATE record SET lastChange = (SELECT max(sequence) FROM change
                        WHERE change.collection = record.collection AND change.id = record.id);
                    UPDATE change SET previous = (SELECT max(sequence) FROM change AS earlier
                        WHERE earlier.collection = change.collection AND earlier.id = change.id
                        AND earlier.sequence < change.sequence);
                    DROP INDEX change_record;
                    """)
        }
        migrator.registerMigration("8 hooks", migrate: hooks)
        migrator.registerMigration("9 keys") { db in
            // So that what stands below a part of a key is found without looking at all records.
            try db.execute(
                sql: "CREATE INDEX record_key ON record(collection, remoteKey) WHERE remoteKey IS NOT NULL")
        }
        migrator.registerMigration("10 people") { db in
            try db.execute(sql: "ALTER TABLE hold ADD COLUMN person TEXT")
        }
        migrator.registerMigration("11 marks", migrate: marks)
        migrator.registerMigration("12 held edits") { db in
            try db.execute(sql: "ALTER TABLE held ADD COLUMN lastEdit BLOB")
        }
        migrator.registerMigration("13 later stamps") { db in
            try db.execute(sql: "ALTER TABLE change ADD COLUMN laterStamps BLOB")
        }
        migrator.registerMigration("14 sources of lines") { db in
            for column in ["file TEXT", "offset INTEGER", "length INTEGER", "madeAt INTEGER"] {
                try db.execute(sql: "ALTER TABLE held ADD COLUMN \(column)")
            }
        }
        migrator.registerMigration("15 tombstones in quarantine") { db in
            try db.execute(sql: "ALTER TABLE quarantine ADD COLUMN isTombstone INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("16 unacknowledged records") { db in
            try db.execute(
                sql: """
                    CREATE TABLE unacknowledged (
                        last INTEGER PRIMARY KEY, first INTEGER NOT NULL, collection INTEGER NOT NULL,
                        isAbsent INTEGER NOT NULL, fresh INTEGER, pendingSince INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("17 what holds name") { db in
            try db.execute(sql: "CREATE INDEX held_hold ON held(hold, collection, id)")
        }
        migrator.registerMigration("18 how many records holds name") { db in
            try db.execute(
                sql: """
                    ALTER TABLE hold ADD COLUMN count INTEGER NOT NULL DEFAULT 0;
                    UPDATE hold SET count =
                        (SELECT count(DISTINCT collection || ' ' || hex(id)) FROM held WHERE held.hold = hold.number);
                    """)
        }
        migrator.registerMigration("19 when lines in quarantine were made") { db in
            try db.execute(
                sql: """
                    ALTER TABLE quarantine ADD COLUMN madeAt INTEGER;
                    UPDATE quarantine SET madeAt = since WHERE source = 'journal';
                    """)
        }
        migrator.registerMigration("20 where items in quarantine came from") { db in
            // So that what the remote refused of a record is found among thousands of its lines.
            try db.execute(
                sql: """
                    CREATE INDEX quarantine_place ON quarantine(collection, record, source);
                    DROP INDEX quarantine_record;
                    """)
        }
        migrator.registerMigration("21 conflicts of one record") { db in
            // Thousands may be of one record: the same entry, and what was given up, are found among them.
            try db.execute(
                sql: """
                    CREATE INDEX conflict_loser ON conflict(collection, id, loserStamp);
                    CREATE INDEX conflict_dropped ON conflict(collection, id) WHERE rule = 'dropped';
                    DROP INDEX conflict_record;
                    """)
        }
        return migrator
    }

    /// The marks of operations many in a row, in the order they came in.
    private static func marks(_ db: Database) throws {
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
    private static func hooks(_ db: Database) throws {
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
    private static func fieldsInLedger(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE conflict ADD COLUMN fields TEXT;
                ALTER TABLE conflict ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;
                INSERT INTO conflict (collection, id, at, rule, winnerStamp, winnerText, loserStamp, loserText)
                    SELECT collection, id, unixepoch() * 1000, 'laterStamp', stamp, text, keptStamp, keptText FROM record
                    WHERE keptStamp IS NOT NULL AND stamp IS NOT NULL;
                """)
    }

    /// A stamp a field; counts that are kept, not counted.
    ///
    /// What was read of an app is an observation where nothing else is known of the record. Elsewhere what readers saw, which
    /// has what the app dropped, becomes what is known.
    private static func fields(_ db: Database) throws {
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
                    pending INTEGER NOT NULL, pendingSince INTEGER,
                    UNIQUE (collection, id)
                ) STRICT;
                INSERT INTO newRecord SELECT row, collection, id,
                    stamp, iif(isObserved, NULL, text), iif(isObserved, NULL, hash), NULL, NULL,
                    iif(text IS NULL, stamp, NULL),
                    base, baseStamp, baseLast, baseHash, coalesce(baseText, text), baseStamp, NULL, baseETag, baseKey,
                    iif(isObserved, coalesce(observed, stamp), NULL), NULL, tombStamp, tombEnded, tombETag,
                    ownStamp, fresh, 0, text IS NOT NULL, pending, pendingSince
                    FROM (SELECT *,
                        provisional AND base = 2 AND baseLast IS NULL AND keptStamp IS NULL AS isObserved FROM record);
                DROP TABLE record;
                ALTER TABLE newRecord RENAME TO record;
                CREATE INDEX record_pending ON record(collection, pendingSince) WHERE pending > 0;
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
}
