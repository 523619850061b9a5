import GRDB
import SyncModel
import Testing

@testable import LocalStore

/// What holds name is asked by the hold, without going through what all others name.
struct HeldRecordsTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    @Test func `what a hold names is found by an index`() async throws {
        let store = try folder.open()
        let plans = try await store.read { transaction in
            try ["EXISTS (SELECT 1 FROM held WHERE hold = 1)", "* FROM held WHERE hold = 1"].flatMap { query in
                try Row.fetchAll(transaction.db, sql: "EXPLAIN QUERY PLAN SELECT \(query)").map {
                    $0["detail"] as String
                }
            }
        }
        #expect(
            plans.contains { $0.contains("held_hold") } && !plans.contains { $0.hasPrefix("SCAN held") }, "\(plans)")
    }

    @Test func `a record counts once, and a hold names something until the last has left it`() async throws {
        let store = try folder.open()
        _ = try await store.write { transaction throws in
            let number = try transaction.raise(Hold(.massDelete, .pull, reason: "x", since: 1))
            for key in [Sample.key(1), Sample.key(1), Sample.key(2)] {
                try transaction.insertHeld(key, hold: number, payload: nil, lastEdit: .zero, source: nil)
            }
            #expect(try transaction.heldCount(by: number) == 2)
            for held in try transaction.held(by: number) {
                #expect(try transaction.namesAny(hold: number))
                try transaction.removeHeld(held)
            }
            #expect(try !transaction.namesAny(hold: number) && transaction.heldCount(by: number) == 0)
        }
    }
}
