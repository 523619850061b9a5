internal import FoundationEssentials
internal import GRDB
internal import OperatingSystem

/// A SQLite file that appears whole or not at all. SQLite itself makes one step by step in its place, and what a kill between
/// two steps leaves there can't be told from a file that was lost, or can't be read without writing to it.
package enum NewDatabase {
    /// Makes an empty file in WAL mode, for its owner alone (0600), where there is none or one of zero bytes. A second call
    /// does nothing.
    ///
    /// - Throws: a `SystemError` or a `DatabaseError`; nothing is at `path` then that was not there before.
    package static func make(at path: String) throws {
        guard isMissing(path) else { return }
        let file = try ReplacingFile(path: path)
        // Another process may have made it meanwhile.
        guard isMissing(path) else { return }
        // Of one that was killed, or was taken away: SQLite would take it for a part of this file.
        for whole in [file.unfinishedPath, path] { removeFiles(beside: whole) }
        let queue = try DatabaseQueue(path: file.unfinishedPath)
        _ = try queue.writeWithoutTransaction { db in try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        try file.finish()
    }

    /// Removes what SQLite keeps beside a file while it is used; nobody may use it.
    package static func removeFiles(beside path: String) {
        for ending in ["-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    }

    private static func isMissing(_ path: String) -> Bool { ((try? FileIdentity.of(path: path))?.size ?? 0) == 0 }
}
