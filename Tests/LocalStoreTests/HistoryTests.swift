import GRDB
import SyncCore
import SyncModel
import Testing

@testable import LocalStore

/// The changes of one record.
struct HistoryTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    @Test func `a record that was created again did not begin with that, though the rest is forgotten`() async throws {
        let store = try folder.open()
        let key = Sample.key(1)
        _ = try await store.write { transaction throws -> Void in
            var stored = try transaction.record(key)
            for kind in [Change.Kind.create, .delete, .create] {
                stored.lastChange = try transaction.append(
                    change: kind, origin: .journal, of: key, Sample.film("Alien", 1), at: 3,
                    previous: stored.lastChange)
            }
            try transaction.save(stored, pending: .no, now: 1)
        }
        func shown() async throws -> (kinds: [Change.Kind], isWhole: Bool) {
            try await store.read { transaction throws in
                let changes = try transaction.allChanges(of: key, limit: 9)
                return (changes.map(\.kind), try changes.last.map(transaction.isBeginning) ?? false)
            }
        }
        #expect(try await shown() == ([.create, .delete, .create], true))
        _ = try await store.write { transaction throws -> Void in
            try transaction.connection.execute(sql: "DELETE FROM change WHERE sequence < 3")
        }
        #expect(try await shown() == ([.create], false))
        store.close()
    }
}
