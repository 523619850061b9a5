internal import Foundation
internal import GRDB
internal import OperatingSystem
internal import SQLiteFile
package import SyncModel
internal import Synchronization

/// The daemon's state: one SQLite database, one writer, everything an input changes in one transaction.
///
/// Whoever writes or reads hears of nothing that would not survive a power loss (``LogSynchronizer``).
package final class LocalStore: Sendable {
    let database: any DatabaseWriter
    private let lock: FileLock?
    /// How many write, or wait to.
    let writers = Atomic(0)
    let limits: StoreLimits
    let presence = Presence()
    let rowNumbers = RowNumbers()
    let recordIndex = RecordIndex()
    let checkpointer = Checkpointer(due: 8_000)
    /// What SQLite has said in this run may be damage: the next start reads the state through.
    private let isDoubtful = Atomic(false)
    /// Nil for a state in memory.
    let log: LogSynchronizer?
    /// Where the database is.
    package let path: String
    /// The file that is open; nil for a state in memory.
    private let file: FileIdentity?
    /// This node's id: new whenever its state is new, restored, or on another machine.
    package let node: NodeID
    /// The number of this run: one more than that of the run before.
    package let run: Int64
    /// Whether the node id was made in this run, or lines that were there when it was made are still unread.
    package let timeOfBacklogUnknown: Bool
    let nodeBegan: Stamp?

    /// Opens the state in `folder`, which is made (mode 0700) where it is missing.
    ///
    /// - Parameters:
    ///   - lastTold: the number of the last change that others were told of, as far as that is known.
    ///   - synchronize: brings its log to the disk, for tests; nil for what does so.
    /// - Throws: ``StoreError``; nothing is overwritten then.
    package init(
        folder: String, limits: StoreLimits = .init(), lastTold: Int64? = nil,
        synchronize: (@Sendable () throws -> Void)? = nil
    ) throws(StoreError) {
        self.limits = limits
        path = folder + "/state.sqlite"
        SQLiteLibrary.setUp()
        lock = try LocalStore.locked(folder)
        try LocalStore.refuseEmptyFile(path)
        LocalStore.removeUnfinishedBackup(of: path)
        do {
            try LocalStore.check(path)
            CleanClose.forget(path)
            try LocalStore.make(path)
            database = try LocalStore.opened(path, checkpointer)
            file = try? FileIdentity.of(path: path)
            let log = synchronize.map { LogSynchronizer($0) } ?? LogSynchronizer(path: path)
            self.log = log
            let identity = StateIdentity(path: path).text
            let opening = try log.committing { [database] in
                try database.write { db in try Opening.run(db, identity, newNode: .random(), lastTold: lastTold) }
            }
            try log.wait(for: log.last)
            node = opening.node
            run = opening.run
            timeOfBacklogUnknown = opening.timeOfBacklogUnknown
            nodeBegan = opening.began
        } catch {
            let failure = error as? StoreError ?? StoreError(error, path: path)
            throw failure.code == .corrupt ? LocalStore.unreadable(path) ?? failure : failure
        }
    }

    /// SQLite takes what the disk won't read for damage. Nil where all of the file can be read.
    private static func unreadable(_ path: String) -> StoreError? {
        do {
            for path in [path, path + "-wal"] where FileManager.default.fileExists(atPath: path) {
                let file = try ReadableFile(path: path)
                var offset: UInt64 = 0
                while case let bytes = try file.read(at: offset, count: 1 << 20), !bytes.isEmpty {
                    offset += UInt64(bytes.count)
                }
            }
            return nil
        } catch {
            return StoreError(.inputOutput, "the state can't be read: \(error)")
        }
    }

    /// What a failure of SQLite means.
    func failure(_ error: DatabaseError) -> StoreError {
        let failure = StoreError(error, path: path)
        if failure.code == .corrupt || failure.code == .inputOutput { isDoubtful.store(true, ordering: .relaxed) }
        return failure
    }

    /// Opens a state that lives in memory.
    ///
    /// - Parameters:
    ///   - identity: where the state lives; where it remembers another one, it was cloned or restored.
    ///   - newNode: the node's id from then on where it needs a new one.
    package init(
        _ state: StateInMemory, identity: String, newNode: NodeID, limits: StoreLimits = .init()
    ) throws(StoreError) {
        self.limits = limits
        path = StateInMemory.name
        lock = nil
        log = nil
        file = nil
        database = state.queue
        do {
            let opening = try state.queue.write { db in try Opening.run(db, identity, newNode: newNode) }
            try state.queue.read(presence.read)
            node = opening.node
            run = opening.run
            timeOfBacklogUnknown = opening.timeOfBacklogUnknown
            nodeBegan = opening.began
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether the file at ``path`` is the one that is open: where it was deleted, or another one was put there, what is
    /// written is lost with this process. Also true where that can't be seen.
    package var isInPlace: Bool {
        guard let file else { return true }
        do throws(SystemError) {
            return try FileIdentity.of(path: path).isSameFile(as: file)
        } catch {
            return !error.isMissing
        }
    }

    /// Returns when the writer has ended what it was doing, well or badly: a disk that fails is no disk that hangs.
    package func isAlive() async {
        try? await database.writeWithoutTransaction { _ in }
        try? await isDurable(log?.last ?? 0)
    }

    /// Gives memory back to the system and folds the write-ahead log into the database, after a large load.
    package func releaseMemory() async {
        (database as? DatabasePool)?.releaseMemory()
        _ = try? await database.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    }

    /// Folds the write-ahead log into the database, so that one file is the whole state and can be copied; closes it,
    /// and lets another daemon have it. Nothing may be called afterwards.
    package func close() {
        try? checkpointer.close()
        _ = try? database.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        let isWhole = log?.hasFailed == false && !isDoubtful.load(ordering: .relaxed)
        if (try? database.close()) != nil, lock != nil, isWhole { CleanClose.note(path) }
        lock?.release()
    }

    private static func locked(_ folder: String) throws(StoreError) -> FileLock {
        do {
            try Folder.make(folder, mode: 0o700)
        } catch {
            throw StoreError(StoreError(error).code, "no folder for the state: \(error); use another --state")
        }
        do {
            return try FileLock(path: folder + "/state.lock")
        } catch let error where error.isHeldElsewhere {
            throw StoreError(.inUse, "another moviesyncd holds the state in \(folder): stop it, or use another --state")
        } catch {
            throw StoreError(error)
        }
    }

    private static func make(_ path: String) throws {
        do { try NewDatabase.make(at: path) } catch let error as SystemError { throw StoreError(error) }
    }

    /// SQLite would take a file of zero bytes for a new database, and the loss would go unnoticed.
    private static func refuseEmptyFile(_ path: String) throws(StoreError) {
        guard (try? FileIdentity.of(path: path))?.size == 0 else { return }
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
            if !CleanClose.isAsNoted(path), let damage = try db.damage() {
                throw StoreError(.corrupt, "the state \(path) is damaged (\(damage)): restore a backup")
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

    private static func opened(_ path: String, _ checkpointer: Checkpointer) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "state"
        configuration.maximumReaderCount = 3
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // What is deleted need not be overwritten with zeros, as the distribution's SQLite does: nobody else may read its folder.
            try db.execute(sql: "PRAGMA secure_delete = OFF")
        }
        configuration.foreignKeysEnabled = LocalStore.checksReferences
        let pool = try DatabasePool(path: path, configuration: configuration)
        // So that what a transaction changes stays in memory until it commits.
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA cache_size = -24000") }
        try Migrations.migrator.migrate(pool)
        pool.writeWithoutTransaction(checkpointer.watch)
        try checkpointer.open(path: path)
        return pool
    }
}

extension StoreError {
    fileprivate init(_ error: SystemError) {
        let code: Code =
            if error.isPermission {
                .permission
            } else if error.isDiskFull {
                .diskFull
            } else {
                error.isInputOutput ? .inputOutput : .cannotCreate
            }
        self.init(code, "\(error)")
    }

    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self.init(.inputOutput, "cannot use the state \(path): \(error)")
            return
        }
        // What a copy says of its code may be the words of another one.
        let words = error.message == DatabaseError(resultCode: .SQLITE_OK).message ? nil : error.message
        let text =
            words ?? DatabaseError(resultCode: error.resultCode).message ?? "SQLite error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .corrupt,
                "the state \(path) is damaged, or its disk can't be read (\(text)): look at the disk "
                    + "first, then restore the state from a backup, or move it away")
        case _ where error.isForbidden(at: path):
            self.init(.permission, "no right to read and write the state \(path), or beside it: \(text)")
        case .SQLITE_CANTOPEN: self.init(.cannotCreate, "cannot open the state \(path): \(text)")
        case .SQLITE_FULL: self.init(.diskFull, "cannot use the state \(path): \(text)")
        // SQLite says no more than that where there is no room for its shared memory.
        case .SQLITE_IOERR where (try? DiskRoom.of(path))?.freeBytes == 0:
            self.init(.diskFull, "cannot use the state \(path): \(text), and its disk is full")
        // A copy that finds no room says nothing at all.
        case .SQLITE_OK where (try? DiskRoom.of(path))?.freeBytes == 0:
            self.init(.diskFull, "cannot write \(path): the disk is full")
        case .SQLITE_OK: self.init(.inputOutput, "cannot write \(path) whole: is there room on its disk?")
        default: self.init(.inputOutput, "cannot use the state \(path): \(text)")
        }
    }
}
