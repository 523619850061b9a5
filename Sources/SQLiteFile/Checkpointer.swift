internal import Dispatch
package import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Folds the write-ahead log of a database into it, beside the one who writes: SQLite has whoever commits do that, who is
/// kept from writing by it for as long as the disk takes.
///
/// What was committed meanwhile, which is little, the writer folds in itself at its next commit, and begins the log anew.
package final class Checkpointer: Sendable {
    private struct State: Sendable {
        /// The log as it stood when it was last folded in; it is shorter where it has begun anew since.
        var folded: Int32 = 0
        var isRunning = false
        /// All but the last commits are folded in.
        var isNearlyDone = false
    }

    /// So many pages are folded in together; with 16 times as many in the log the writer does it.
    private let due: Int32
    private let pages = Atomic<Int32>(0)
    private let state = Mutex(State())
    private let connection = Mutex<DatabaseQueue?>(nil)
    private let queue = DispatchQueue(label: "SQLiteFile.checkpoint")

    package init(due: Int32 = 4_000) { self.due = due }

    /// Hears of the commits of this connection, until it is closed; it folds nothing in by itself from now on.
    package func watch(_ writer: Database) {
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue().pages.store(pages, ordering: .relaxed)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Begins; the database is in WAL mode by now. To be called once.
    package func open(path: String) throws {
        var configuration = Configuration()
        configuration.label = "checkpoint"
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -500") }
        let opened = try DatabaseQueue(path: path, configuration: configuration)
        connection.withLock { $0 = opened }
    }

    /// Ends, when what is under way is done.
    package func close() throws {
        settle()
        try connection.withLock { connection in
            try connection?.close()
            connection = nil
        }
    }

    /// Returns when what is under way is done. Blocks meanwhile.
    package func settle() { queue.sync {} }

    /// To be called by the writer after each commit, outside of a transaction. What fails is tried again later, as SQLite
    /// does.
    package func committed(_ writer: Database) {
        let pages = pages.load(ordering: .relaxed)
        let (byWriter, beside) = state.withLock { state in
            if pages < state.folded { state.folded = 0 }
            let byWriter = state.isNearlyDone || !state.isRunning && pages - state.folded >= 16 * due
            let beside = !byWriter && !state.isRunning && pages - state.folded >= due
            if byWriter { (state.isNearlyDone, state.folded) = (false, pages) }
            if beside { state.isRunning = true }
            return (byWriter, beside)
        }
        if byWriter { _ = try? writer.checkpoint(.passive) }
        if beside { queue.async { self.run() } }
    }

    private func run() {
        connection.withLock { connection in
            _ = try? connection?.writeWithoutTransaction { db in try db.checkpoint(.passive) }
        }
        state.withLock { ($0.isRunning, $0.isNearlyDone) = (false, true) }
    }
}
