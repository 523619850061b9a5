internal import GRDB
internal import SQLiteFile

/// A state that lives in memory, and ends with it: the same tables and transactions, for simulations.
package final class StateInMemory: Sendable {
    static let name = "in memory"

    let queue: DatabaseQueue

    /// An empty state.
    package init() throws(StoreError) {
        do {
            queue = try DatabaseQueue(configuration: StateInMemory.configuration)
            try StateInMemory.empty.get().backup(to: queue)
        } catch {
            throw StoreError(error, path: StateInMemory.name)
        }
    }

    /// A copy of what is committed in `other`.
    package init(copying other: StateInMemory) throws(StoreError) {
        do {
            queue = try DatabaseQueue(configuration: StateInMemory.configuration)
            try other.queue.backup(to: queue)
        } catch {
            throw StoreError(error, path: StateInMemory.name)
        }
    }

    /// What every empty state is a copy of: the migrations take longer than many a story.
    private static let empty = Result {
        let empty = try DatabaseQueue()
        try Migrations.migrator.migrate(empty)
        return empty
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "state in memory"
        configuration.foreignKeysEnabled = LocalStore.checksReferences
        return configuration
    }
}

extension DatabaseQueue {
    /// As `write` does, with statements that are prepared once: a story is thousands of small transactions.
    func writeQuickly<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writeWithoutTransaction { db in
            try HotStatement(db, "BEGIN IMMEDIATE").run()
            do {
                let result = try body(db)
                try HotStatement(db, "COMMIT").run()
                return result
            } catch {
                _ = try? HotStatement(db, "ROLLBACK").run()
                throw error
            }
        }
    }
}
