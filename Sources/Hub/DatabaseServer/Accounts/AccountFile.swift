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
/// What a transaction has done is on the disk when it returns. Another process may read and write the file meanwhile. That no
/// acknowledged transaction is missing, and that the file can be read, is checked when it is opened.
final class AccountFile: Sendable {
    private let queue: DatabaseQueue
    private let commits: CommitCount
    let path: String

    /// Opens the file in `folder`, or makes it with mode 0600.
    ///
    /// Throws a ``ServerError``: `corrupt` where it is damaged or acknowledged transactions are missing, and has changed
    /// nothing then.
    init(folder: String) throws {
        let path = folder + "/accounts.sqlite"
        self.path = path
        let commits = try RowFile.explaining(path) { try CommitCount(path: path) }
        self.commits = commits
        queue = try RowFile.explaining(path) {
            try AccountFile.verify(path, commits)
            try NewDatabase.make(at: path)
            let queue = try DatabaseQueue(path: path, configuration: AccountFile.configuration)
            try queue.commitToDisk()
            try AccountFile.migrator.migrate(queue)
            return queue
        }
    }

    /// Looks at the file as it is; writing would cover what is left of a damaged log.
    private static func verify(_ path: String, _ commits: CommitCount) throws {
        guard let size = (try? FileIdentity.of(path: path))?.size, size > 0 else {
            return try commits.verifyNothingIsMissing()
        }
        var configuration = Configuration()
        configuration.label = "Accounts loading"
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            _ = try commits.verified(db)
            if try migrator.hasBeenSuperseded(db) {
                throw ServerError(.newerVersion, "\(path) was written by a newer release: install that one")
            }
            if let damage = try db.damage() { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: damage) }
        }
        try queue.close()
    }

    /// Runs `body` in a transaction; what it throws undoes all of it. Blocks meanwhile.
    func transaction<Result>(_ body: (any AccountBook) throws -> Result) throws -> Result {
        try write { try body(AccountRows($0)) }
    }

    /// The same for pictures.
    func pictures<Result>(_ body: (PictureRows) throws -> Result) throws -> Result {
        try write { try body(PictureRows($0)) }
    }

    /// Other processes count theirs, too: the next number is the file's, not this one's.
    private func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let (result, number) = try queue.write { db in
            let before = db.totalChangesCount
            let result = try body(db)
            let isChanged = db.totalChangesCount != before
            return (result, isChanged ? try CommitCount.countOneMore(db) : nil)
        }
        if let number { commits.acknowledge(number) }
        return result
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
        migrator.registerMigration("3 – count of commits") { try CommitCount.createTable($0) }
        return migrator
    }
}
