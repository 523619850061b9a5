internal import DatabaseTree
internal import FirebaseWire
internal import FoundationEssentials
internal import GRDB
internal import OperatingSystem
internal import SQLiteFile
internal import Synchronization

/// The file of the data: one SQLite row for each packed node.
///
/// Rows are numbered in the order they were made, so that new ones fill the end of the file. Each carries a checksum
/// over database, path and text; the pages between them are checked by SQLite when the file is opened, and that no
/// acknowledged commit is missing by ``CommitCount``.
final class RowFile: Sendable {
    private let queue: DatabaseQueue
    private let commits: CommitCount
    private let lastCommit: Mutex<UInt64>
    let path: String

    /// Opens or makes the file in `folder`. Throws `corrupt`, `newerVersion` or `cannotCreate`.
    init(folder: String, fsync: Fsync) throws {
        path = folder + "/data.sqlite"
        do {
            commits = try CommitCount(path: path)
            try RowFile.check(path, commits)
            queue = try DatabaseQueue(path: path, configuration: RowFile.configuration(fsync))
            try RowFile.migrator.migrate(queue)
            lastCommit = Mutex(try queue.read(commits.verified))
        } catch let error as DatabaseError {
            throw RowFile.explained(error, path)
        } catch let error as MissingCommits {
            throw ServerError(.corrupt, "\(path): \(error)", underlying: error)
        } catch let error as SystemError {
            throw ServerError(.cannotCreate, "\(error)", underlying: error)
        }
    }

    /// Looks at a file that is there without changing it.
    private static func check(_ path: String, _ commits: CommitCount) throws {
        let size = (try? FileIdentity.of(path: path))?.size ?? 0
        guard size > 0 else { return try commits.verifyNothingIsMissing() }
        var configuration = Configuration()
        configuration.label = "DatabaseServer check"
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            if try migrator.hasBeenSuperseded(db) {
                throw ServerError(.newerVersion, "\(path) was written by a newer release: install that one")
            }
            let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard answer == "ok" else {
                throw ServerError(
                    .corrupt, "\(path) is damaged (\(answer ?? "no answer")): restore it from a backup")
            }
            _ = try commits.verified(db)
        }
        try queue.close()
    }

    private static func configuration(_ fsync: Fsync) -> Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.label = "DatabaseServer"
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = \(fsync == .always ? "FULL" : "NORMAL")")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000")
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
        return migrator
    }

    private static func explained(_ error: DatabaseError, _ path: String) -> ServerError {
        let code: ServerError.Code =
            error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB ? .corrupt : .cannotCreate
        let advice = code == .corrupt ? "restore it from a backup" : "check the folder's rights and the free space"
        return ServerError(
            code, "\(path): \(error.message ?? error.resultCode.description): \(advice)", underlying: error
        )
    }
}

extension RowFile {
    /// All trees of the file, and the number for the next row. Throws `corrupt` with the place of the first bad row.
    func load() throws -> (roots: [String: Root], nextRow: Int64) {
        var roots: [String: Root] = [:]
        var last: Int64 = 0
        do {
            try queue.read { db in
                let row = try HotStatement(db, "SELECT id, database, path, text, checksum FROM row ORDER BY id")
                while try row.next() {
                    last = row.integer(0) ?? 0
                    let (database, place) = (row.text(1) ?? "", row.text(2) ?? "")
                    try load(last, database, place, row.bytes(3) ?? [], checksum: row.integer(4) ?? 0, &roots)
                }
            }
        } catch let error as DatabaseError {
            throw RowFile.explained(error, path)
        }
        return (roots, last + 1)
    }

    private func load(
        _ id: Int64, _ database: String, _ place: String, _ text: [UInt8], checksum: Int64,
        _ roots: inout [String: Root]
    ) throws {
        guard RowFile.checksum(database, place, text) == checksum else { throw corrupt(id, database, place) }
        let keys = place.pieces(between: "/").map { WireKey(unchecked: String($0)) }
        guard roots[database, default: Root(database)].load(row: id, path: WirePath(keys), text: text) else {
            throw corrupt(id, database, place)
        }
    }

    private func corrupt(_ id: Int64, _ database: String, _ place: String) -> ServerError {
        ServerError(
            .corrupt,
            "\(path): row \(id), database \"\(database)\", path \"/\(place)\" is damaged: restore the file from a backup"
        )
    }

    /// Stores `changes` in one transaction; they are on the disk when this returns, or soon after, as ``Fsync`` says.
    func commit(_ changes: [RowChange]) throws {
        try counted { db in
            let put = try HotStatement(
                db, "INSERT OR REPLACE INTO row(id, database, path, text, checksum) VALUES (?, ?, ?, ?, ?)")
            let remove = try HotStatement(db, "DELETE FROM row WHERE id = ?")
            for change in changes {
                switch change {
                case .put(let row, let database, let path, let text):
                    let place = path.text
                    put.bind(1, row)
                    put.bind(2, database)
                    put.bind(3, place)
                    put.bind(4, text)
                    put.bind(5, RowFile.checksum(database, place, text))
                    try put.run()
                case .remove(let row):
                    remove.bind(1, row)
                    try remove.run()
                }
            }
        }
    }

    /// Runs `body` in a transaction that counts itself.
    private func counted(_ body: (Database) throws -> Void) throws {
        try lastCommit.withLock { last in
            try queue.write { db in
                try commits.count(last + 1, db)
                try body(db)
            }
            last += 1
            commits.acknowledge(last)
        }
    }

    /// The stored rules by database, as their text. Throws `corrupt`.
    func rules() throws -> [String: [UInt8]] {
        try queue.read { db in
            var rules: [String: [UInt8]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT database, text, checksum FROM rules") {
                let database: String = row[0]
                let text = Array(row[1] as Data)
                guard RowFile.checksum(database, ".settings/rules", text) == row[2] else {
                    throw ServerError(
                        .corrupt, "\(path): the rules of database \"\(database)\" are damaged: restore from a backup"
                    )
                }
                rules[database] = text
            }
            return rules
        }
    }

    /// Stores the rules of a database; they are on the disk when this returns.
    func store(rules text: [UInt8], of database: String) throws {
        let sum = RowFile.checksum(database, ".settings/rules", text)
        try counted { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO rules(database, text, checksum) VALUES (?, ?, ?)",
                arguments: [database, Data(text), sum]
            )
        }
    }

    /// Makes what was committed so far survive a power cut. A log that is gone was folded into the file, durably.
    func synchronize() throws {
        guard let log = try? ReadableFile(path: path + "-wal") else { return }
        try log.synchronize()
    }

    func close() throws { try queue.close() }

    /// FNV-1a of 64 bits: every step is a bijection, so no single changed byte goes unseen.
    private static func checksum(_ database: String, _ path: String, _ text: [UInt8]) -> Int64 {
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
