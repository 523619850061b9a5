internal import Accounts
internal import FoundationEssentials
internal import GRDB
internal import JSONText
internal import OperatingSystem
internal import SQLiteFile
internal import SyncModel

/// The file of the accounts and their pictures: a SQLite file of its own beside the data, so that no rule and no listener of the database
/// ever meets a user.
///
/// What a transaction has done is on the disk when it returns. Another process may read and write the file meanwhile.
final class AccountFile: Sendable {
    private let queue: DatabaseQueue
    let path: String

    /// Opens the file in `folder`, or makes it with mode 0600. Throws a ``ServerError``.
    init(folder: String) throws {
        path = folder + "/accounts.sqlite"
        queue = try RowFile.explaining(path) { [path] in
            if (try? FileIdentity.of(path: path)) == nil { _ = try DurableFile(path: path, mode: 0o600) }
            let queue = try DatabaseQueue(path: path, configuration: AccountFile.configuration)
            if try queue.read(AccountFile.migrator.hasBeenSuperseded) {
                throw ServerError(.newerVersion, "\(path) was written by a newer release: install that one")
            }
            try queue.commitToDisk()
            try AccountFile.migrator.migrate(queue)
            return queue
        }
    }

    /// Runs `body` in a transaction; what it throws undoes all of it. Blocks meanwhile.
    func transaction<Result>(_ body: (any AccountBook) throws -> Result) throws -> Result {
        try queue.write { try body(AccountRows($0)) }
    }

    /// The same for pictures.
    func pictures<Result>(_ body: (PictureRows) throws -> Result) throws -> Result {
        try queue.write { try body(PictureRows($0)) }
    }

    func close() throws { try queue.close() }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(10)
        configuration.label = "Accounts"
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -8000")
        }
        return configuration
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 – accounts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE account(
                        id TEXT PRIMARY KEY, email TEXT UNIQUE, phone TEXT UNIQUE, text BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE session(
                        number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE,
                        account TEXT NOT NULL REFERENCES account ON DELETE CASCADE, authTime INTEGER NOT NULL,
                        provider TEXT NOT NULL, claims BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX sessionOfAccount ON session(account, number);
                    CREATE TABLE code(
                        hash BLOB PRIMARY KEY, request TEXT NOT NULL, email TEXT NOT NULL, newEmail TEXT,
                        account TEXT REFERENCES account ON DELETE CASCADE, ends INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX codeOfAccount ON code(account);
                    CREATE INDEX codeByEnd ON code(ends);
                    CREATE TABLE policy(one INTEGER PRIMARY KEY CHECK (one = 1), text BLOB NOT NULL) STRICT
                    """)
        }
        migrator.registerMigration("2 – pictures") { try PictureRows.make($0) }
        return migrator
    }
}
