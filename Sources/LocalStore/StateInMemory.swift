internal import GRDB

/// A state that lives in memory, and ends with it: the same tables and transactions, for simulations.
package final class StateInMemory: Sendable {
    static let name = "in memory"

    let queue: DatabaseQueue

    /// An empty state.
    package init() throws(StoreError) {
        do {
            queue = try DatabaseQueue(configuration: StateInMemory.configuration)
            try Migrations.migrator.migrate(queue)
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

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "state in memory"
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA foreign_keys = ON") }
        return configuration
    }
}
