internal import Dispatch
internal import Foundation
internal import GRDB
internal import OperatingSystem
internal import SQLiteFile

extension LocalStore {
    /// Where a backup is made before somebody takes it away: a name that nobody gives to a copy of their own.
    package var unfinishedBackup: String { path + LocalStore.unfinishedEnding }

    private static let unfinishedEnding = ".unfinished-backup"

    /// Removes what a daemon has left there that was killed meanwhile.
    static func removeUnfinishedBackup(of path: String) {
        let unfinished = path + unfinishedEnding
        for file in [unfinished, unfinished + ".part"] { try? FileManager.default.removeItem(atPath: file) }
        NewDatabase.removeFiles(beside: unfinished)
    }

    /// Copies the state into a new file of mode 0600 at `path` while it is used, by SQLite's own means; what commits
    /// meanwhile may be in it or not. The file is checked, and is whole without others beside it.
    ///
    /// - Throws: ``StoreError``; nothing is left at `path` then.
    package func backUp(to path: String) async throws {
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            // It takes as long as the disk does, and a thread of its own.
            DispatchQueue.global().async {
                continuation.resume(returning: Result { try self.copy(to: path) })
            }
        }
        do { try result.get() } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error as? StoreError ?? StoreError(error, path: path)
        }
    }

    private func copy(to path: String) throws {
        // Made first, for SQLite would let the group read it.
        try ReplacingFile(path: path, mode: 0o600).finish()
        let copy = try DatabaseQueue(path: path)
        try database.backup(to: copy)
        try copy.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            guard try db.damage() == nil else {
                throw StoreError(.corrupt, "the copy \(path) of the state is damaged")
            }
        }
        try copy.close()
    }
}
