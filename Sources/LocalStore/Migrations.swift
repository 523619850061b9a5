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
        migrator.registerMigration("22 index of records in levels", migrate: levels)
        return migrator
    }
}
