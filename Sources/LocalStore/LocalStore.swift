internal import Foundation
internal import GRDB
internal import OperatingSystem
internal import SQLiteFile
package import SyncModel
internal import Synchronization

/// The daemon's state: one SQLite database, one writer, everything an input changes in one transaction.
///
/// `synchronous=FULL` in WAL mode: what a committed transaction says survives a power loss.
package final class LocalStore: Sendable {
    let database: any DatabaseWriter
    private let lock: FileLock?
    /// How many write, or wait to.
    private let writers = Atomic(0)
    let limits: StoreLimits
    /// Where the database is.
    package let path: String
    /// This node's id: new whenever its state is new, restored, or on another machine.
    package let node: NodeID
    /// The number of this run: one more than that of the run before.
    package let run: Int64
    /// Whether the node id was made in this run, or lines that were there when it was made are still unread.
    package let timeOfBacklogUnknown: Bool

    /// Opens the state in `folder`, which is made (mode 0700) where it is missing.
    ///
    /// - Throws: ``StoreError``; nothing is overwritten then.
    package init(folder: String, limits: StoreLimits = .init()) throws(StoreError) {
        self.limits = limits
        path = folder + "/state.sqlite"
        SQLiteLibrary.setUp()
        lock = try LocalStore.locked(folder)
        try LocalStore.refuseEmptyFile(path)
        do {
            try LocalStore.check(path)
            CleanClose.forget(path)
            database = try LocalStore.opened(path)
            let identity = StateIdentity(path: path).text
            let opening = try database.write { db in try Opening.run(db, identity, newNode: .random()) }
            node = opening.node
            run = opening.run
            timeOfBacklogUnknown = opening.timeOfBacklogUnknown
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Opens a state that lives in memory.
    ///
    /// - Parameters:
    ///   - identity: where the state lives; where it remembers another one, it was cloned or restored.
    ///   - newNode: the node's id from then on where it needs a new one.
    package init(_ state: StateInMemory, identity: String, newNode: NodeID) throws(StoreError) {
        limits = StoreLimits()
        path = StateInMemory.name
        lock = nil
        database = state.queue
        do {
            let opening = try state.queue.write { db in try Opening.run(db, identity, newNode: newNode) }
            node = opening.node
            run = opening.run
            timeOfBacklogUnknown = opening.timeOfBacklogUnknown
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Runs `body` in one transaction: all that it changes commits together, or nothing does when it throws.
    ///
    /// Transactions run one after the other. When this returns, the changes are on disk.
    ///
    /// - Parameter isShort: whether the caller's thread may do it, where nobody writes: that takes about a millisecond, and
    ///   saves going to another thread and back.
    package func write<Result: Sendable>(
        isShort: Bool = false, _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> (result: Result, effects: StoreEffects) {
        let before = writers.add(1, ordering: .relaxed).oldValue
        defer { writers.subtract(1, ordering: .relaxed) }
        if isShort, before == 0 { return try writeNow(body) }
        let (node, run, limits) = (node, run, limits)
        do {
            return try await database.write { db in
                try LocalStore.transaction(in: db, node: node, run: run, limits, body)
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    /// ``write(isShort:_:)`` for a caller that waits.
    package func writeNow<Result>(
        _ body: (Transaction) throws -> Result
    ) throws -> (result: Result, effects: StoreEffects) {
        func transaction(_ db: Database) throws -> (result: Result, effects: StoreEffects) {
            try LocalStore.transaction(in: db, node: node, run: run, limits, body)
        }
        do {
            if let inMemory = database as? DatabaseQueue { return try inMemory.writeQuickly(transaction) }
            return try database.write(transaction)
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    private static func transaction<Result>(
        in db: Database, node: NodeID, run: Int64, _ limits: StoreLimits, _ body: (Transaction) throws -> Result
    ) throws -> (result: Result, effects: StoreEffects) {
        let transaction = try Transaction(db, node: node, run: run, limits)
        let result = try body(transaction)
        try transaction.finish()
        return (result, transaction.effects)
    }

    /// Reads the last committed state; does not wait for a writer.
    package func read<Result: Sendable>(
        _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> Result {
        let (node, run, limits) = (node, run, limits)
        do {
            return try await database.read { db in try body(try Transaction(db, node: node, run: run, limits)) }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    /// Returns when the writer has ended what it was doing, well or badly: a disk that fails is no disk that hangs.
    package func isAlive() async {
        try? await database.writeWithoutTransaction { _ in }
    }

    /// Gives memory back to the system and folds the write-ahead log into the database, after a large load.
    package func releaseMemory() async {
        (database as? DatabasePool)?.releaseMemory()
        _ = try? await database.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    }

    /// Folds the write-ahead log into the database, so that one file is the whole state and can be copied; closes it,
    /// and lets another daemon have it. Nothing may be called afterwards.
    package func close() {
        _ = try? database.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        if (try? database.close()) != nil, lock != nil { CleanClose.note(path) }
        lock?.release()
    }

    private static func locked(_ folder: String) throws(StoreError) -> FileLock {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(.cannotCreate, "cannot make the state folder \(folder): \(reason(error))")
        }
        do {
            return try FileLock(path: folder + "/state.lock")
        } catch let error where error.isHeldElsewhere {
            throw StoreError(.inUse, "another moviesyncd holds the state in \(folder): stop it, or use another --state")
        } catch {
            throw StoreError(error.isPermission ? .permission : .cannotCreate, "\(error)")
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as NSError).localizedDescription
    }

    /// SQLite would take a file of zero bytes for a new database, and the loss would go unnoticed.
    private static func refuseEmptyFile(_ path: String) throws(StoreError) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
        guard (attributes[.size] as? NSNumber)?.intValue == 0 else { return }
        throw StoreError(
            .corrupt, "the state \(path) is empty (0 bytes): restore it from a backup, or move it away to start anew")
    }

    /// Looks at a state that is there without changing it: merely opening one for writing writes to it.
    private static func check(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = Configuration()
        configuration.label = "state check"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            // Reads all of it, which takes long where there is much.
            let answer = CleanClose.isAsNoted(path) ? "ok" : try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard answer == "ok" else {
                throw StoreError(.corrupt, "the state \(path) is damaged (\(answer ?? "no answer")): restore a backup")
            }
            if try Migrations.migrator.hasBeenSuperseded(db) {
                throw StoreError(.newer, "the state \(path) was written by a newer moviesyncd: install that one")
            }
        }
        try queue.close()
    }

    /// SQLite would look up each row's collection, and keep what every page was for taking a statement back: twice the time
    /// of writing a record. What is referred to by more than a number of this code's own is checked where it is written.
    static let checksReferences = false

    private static func opened(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "state"
        configuration.maximumReaderCount = 3
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // What is deleted need not be overwritten with zeros, as the distribution's SQLite does: nobody else may read its folder.
            try db.execute(sql: "PRAGMA secure_delete = OFF")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 16000")
        }
        configuration.foreignKeysEnabled = LocalStore.checksReferences
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.commitToDisk()
        // So that what a transaction changes stays in memory until it commits.
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA cache_size = -24000") }
        try Migrations.migrator.migrate(pool)
        return pool
    }
}

extension StoreError {
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self.init(.inputOutput, "cannot use the state \(path): \(error)")
            return
        }
        let text = error.message ?? "SQLite error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.corrupt, "the state \(path) is damaged (\(text)): restore it from a backup, or move it away")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(.permission, "no right to write the state \(path): \(text)")
        case .SQLITE_CANTOPEN
        where !FileManager.default.isWritableFile(atPath: (path as NSString).deletingLastPathComponent):
            self.init(.permission, "no right to write beside the state \(path): \(text)")
        case .SQLITE_CANTOPEN: self.init(.cannotCreate, "cannot open the state \(path): \(text)")
        default: self.init(.inputOutput, "cannot use the state \(path): \(text)")
        }
    }
}
