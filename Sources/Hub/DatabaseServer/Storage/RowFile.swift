internal import DatabaseTree
internal import FoundationEssentials
internal import GRDB
internal import OperatingSystem
internal import SQLiteFile
internal import Synchronization

/// The file of the data: one SQLite row for each packed node.
///
/// Rows are numbered in the order they were made, so that new ones fill the end of the file. Each carries a checksum
/// over database, path and text; the pages between them are checked by SQLite when they are loaded, and that no
/// acknowledged commit is missing by ``CommitCount`` when the file is opened.
///
/// It is opened at once and loaded later: until ``load()`` has returned there is nothing to commit to.
final class RowFile: Sendable {
    struct Writer: Sendable {
        let queue: DatabaseQueue
        /// The number of the last commit.
        var last: UInt64
    }

    /// The file before it is loaded, read only; nil inside where there was none yet.
    let unloaded: Mutex<DatabaseQueue?>
    let writer = Mutex<Writer?>(nil)
    private let isLoadingStopped = Atomic<Bool>(false)
    private let commits: CommitCount
    private let checkpointer = Checkpointer()
    private let fsync: Fsync
    let path: String

    /// Opens the file in `folder`, if it is there, as quickly whatever is in it, and changes nothing.
    ///
    /// Throws `corrupt` where acknowledged commits are missing, `newerVersion` or `cannotCreate`.
    init(folder: String, fsync: Fsync) throws {
        let path = folder + "/data.sqlite"
        self.path = path
        self.fsync = fsync
        SQLiteLibrary.setUp()
        let commits = try RowFile.explaining(path) { try CommitCount(path: path) }
        self.commits = commits
        unloaded = Mutex(try RowFile.explaining(path) { try RowFile.opened(path, commits) })
    }

    /// The file as it is, to be read; nil where there is none or it is empty.
    private static func opened(_ path: String, _ commits: CommitCount) throws -> DatabaseQueue? {
        let size = (try? FileIdentity.of(path: path))?.size ?? 0
        guard size > 0 else {
            try commits.verifyNothingIsMissing()
            return nil
        }
        var configuration = Configuration()
        configuration.label = "DatabaseServer loading"
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            if try migrator.hasBeenSuperseded(db) {
                throw ServerError(.newerVersion, "\(path) was written by a newer release: install that one")
            }
            _ = try commits.verified(db)
        }
        return queue
    }

    /// All trees of the file, the number for the next row, and the time of the last write, in milliseconds since 1970, 0 where
    /// none is known; from now on there can be commits. To be called once.
    ///
    /// Throws `corrupt` with the place of the damage, and has changed nothing then; `CancellationError` after
    /// ``stopLoading()``. Blocks meanwhile.
    func load() throws -> (roots: [String: Root], nextRow: Int64, lastTime: Int64) {
        try RowFile.explaining(path) {
            let rows = LoadedRows(path: path, isStopped: { [self] in isLoadingStopped.load(ordering: .relaxed) })
            if let queue = unloaded.withLock(\.self) {
                try queue.read(rows.read)
                unloaded.withLock { $0 = nil }
                try queue.close()
            }
            try rows.checkNotStopped()
            try NewDatabase.make(at: path)
            RowFile.keepPrivate(path)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            if fsync == .always { try queue.commitToDisk() }
            try RowFile.migrator.migrate(queue)
            let last = try queue.read(commits.verified)
            let lastTime = try queue.read { db in try Int64.fetchOne(db, sql: "SELECT time FROM commits") }
            try checkpointer.open(path: path)
            writer.withLock { $0 = Writer(queue: queue, last: last) }
            return (rows.roots, rows.lastRow + 1, lastTime ?? 0)
        }
    }

    /// A file that everybody may read was made by an earlier version: it becomes private (0600) with what stands beside it,
    /// as far as that can be done.
    private static func keepPrivate(_ path: String) {
        guard let mode = (try? FileIdentity.of(path: path))?.mode, mode & 0o007 != 0 else { return }
        for file in [path, path + "-wal", path + "-shm"] {
            try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
    }

    /// Lets ``load()`` end soon, if it is under way.
    func stopLoading() {
        isLoadingStopped.store(true, ordering: .relaxed)
        unloaded.withLock { $0?.interrupt() }
    }

    /// Whether there can be commits.
    var isOpen: Bool { writer.withLock { $0 != nil } }

    func close() throws {
        if fsync != .always { try? synchronize() }
        try unloaded.withLock { try $0?.close() }
        try checkpointer.close()
        try writer.withLock { writer in
            try writer?.queue.close()
            writer = nil
        }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.label = "DatabaseServer"
        configuration.prepareDatabase { [checkpointer] db in
            try db.execute(sql: "PRAGMA cache_size = -16000")
            checkpointer.watch(db)
        }
        return configuration
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 – rows and rules") { db in
            try db.execute(
                sql: """
                    CREATE TABLE row(
                        id INTEGER PRIMARY KEY, database TEXT NOT NULL, path TEXT NOT NULL, text BLOB NOT NULL,
                        checksum INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE rules(
                        database TEXT PRIMARY KEY, text BLOB NOT NULL, checksum INTEGER NOT NULL
                    ) STRICT
                    """
            )
        }
        migrator.registerMigration("2 – count of commits") { db in try CommitCount.createTable(db) }
        migrator.registerMigration("3 – limits") { db in
            try db.execute(
                sql: "CREATE TABLE writeSizeLimit(database TEXT PRIMARY KEY, word TEXT NOT NULL) STRICT")
        }
        migrator.registerMigration("4 – drafts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE draft(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, number INTEGER NOT NULL) STRICT;
                    CREATE TABLE replaced(
                        draft INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (draft, id)
                    ) STRICT, WITHOUT ROWID
                    """
            )
        }
        migrator.registerMigration("5 – triggers") { db in
            try db.execute(
                sql: "CREATE TABLE strictTriggers(database TEXT PRIMARY KEY, isOn INTEGER NOT NULL) STRICT")
        }
        migrator.registerMigration("6 – time of the last write") { db in
            try db.execute(sql: "ALTER TABLE commits ADD COLUMN time INTEGER NOT NULL DEFAULT 0")
        }
        return migrator
    }

    /// Runs `body`; its errors say what is wrong with the file, and what to do.
    static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw CancellationError()
        } catch let error as DatabaseError {
            let (code, advice): (ServerError.Code, String) =
                switch error.resultCode {
                case .SQLITE_CORRUPT, .SQLITE_NOTADB: (.corrupt, "restore it from a backup")
                case .SQLITE_IOERR: (.inputOutput, "look at its disk, and at the free space there")
                case .SQLITE_FULL: (.inputOutput, "its disk is full")
                case _ where error.isForbidden(at: path):
                    (.permission, "correct the owner and mode of it, and of its folder")
                default: (.cannotCreate, "check the folder's rights, the free space and how many files may be open")
                }
            throw ServerError(
                code, "\(path): \(error.message ?? error.resultCode.description): \(advice)", underlying: error)
        } catch let error as MissingCommits {
            throw ServerError(.corrupt, "\(path): \(error)", underlying: error)
        } catch let error as SystemError {
            throw ServerError(error)
        }
    }
}

extension RowFile {
    /// Stores `changes` in one transaction; they are on the disk when this returns, or soon after, as ``Fsync`` says.
    ///
    /// - Parameter time: theirs, milliseconds since 1970.
    func commit(_ changes: [RowChange], at time: Int64) throws {
        try counted(at: time) { db in
            let put = try RowPut(db)
            let remove = try HotStatement(db, "DELETE FROM row WHERE id = ?")
            for change in changes {
                switch change {
                case .put(let row, let database, let path, let text): try put.run(row, database, path, text)
                case .remove(let row):
                    remove.bind(1, row)
                    try remove.run()
                case .keep: continue
                }
            }
        }
    }

    /// Runs `body` in a transaction that counts itself.
    ///
    /// - Parameter time: that of what it writes, milliseconds since 1970; nil where that is no value with a time.
    func counted(at time: Int64? = nil, _ body: (Database) throws -> Void) throws {
        try writer.withLock { writer in
            guard var present = writer else { throw StorageError(message: "\(path) is not loaded") }
            let number = present.last + 1
            try present.queue.writeWithoutTransaction { db in
                try db.inTransaction {
                    try commits.count(number, db)
                    if let time { try RowFile.note(time, db) }
                    try body(db)
                    return .commit
                }
                // What is not on the disk yet is noted when it is, else a power cut could leave a note of what it took.
                if fsync == .always { commits.acknowledge(number) }
                checkpointer.committed(db)
            }
            present.last = number
            writer = present
        }
    }

    private static func note(_ time: Int64, _ db: Database) throws {
        let update = try HotStatement(db, "UPDATE commits SET time = ?")
        update.bind(1, time)
        try update.run()
    }

    /// Runs `body` in a transaction that may be on the disk only with the next one that counts itself.
    func withoutSynchronizing(_ body: (Database) throws -> Void) throws {
        try writer.withLock { writer in
            guard let queue = writer?.queue else { throw StorageError(message: "\(path) is not open") }
            try queue.writeWithoutTransaction { db in
                if fsync == .always { try db.execute(sql: "PRAGMA synchronous = NORMAL") }
                let result = Result {
                    try db.inTransaction(.immediate) {
                        try body(db)
                        return .commit
                    }
                }
                if fsync == .always { try db.execute(sql: "PRAGMA synchronous = FULL") }
                try result.get()
                checkpointer.committed(db)
            }
        }
    }

    /// Makes what was committed so far survive a power cut. A log that is gone was folded into the file, durably.
    func synchronize() throws {
        guard let last = writer.withLock({ $0?.last }), let log = try? ReadableFile(path: path + "-wal") else { return }
        try log.synchronize()
        commits.acknowledge(last)
    }

    /// FNV-1a of 64 bits: every step is a bijection, so no single changed byte goes unseen.
    static func checksum(_ database: String, _ path: String, _ text: [UInt8]) -> Int64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
            sum = (sum ^ 0xFF) &* 0x100_0000_01b3
        }
        add(database.utf8)
        add(path.utf8)
        add(text)
        return Int64(bitPattern: sum)
    }
}
