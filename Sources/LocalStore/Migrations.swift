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
        return migrator
    }
}
