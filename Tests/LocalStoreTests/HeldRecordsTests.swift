import Foundation
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

    @Test func `a state of before counts what its holds name`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder.file)
        try Migrations.migrator.migrate(queue, upTo: "17 what holds name")
        try queue.write { db in
            for kind in ["massDelete", "emptyRemote"] {
                try db.execute(
                    sql: "INSERT INTO hold (kind, direction, reason, since) VALUES (?, 'pull', 'x', 1)",
                    arguments: [kind])
            }
            for (hold, number) in [(1, 1), (1, 1), (1, 2), (2, 1)] as [(Int, UInt64)] {
                try db.execute(
                    sql: "INSERT INTO held (hold, collection, id) VALUES (?, 1, ?)",
                    arguments: [hold, Sample.key(number).id.blob])
            }
        }
        try Migrations.migrator.migrate(queue)
        let counts = try queue.read { try Int.fetchAll($0, sql: "SELECT count FROM hold ORDER BY number") }
        #expect(counts == [2, 1])
    }

    @Test func `a record counts once, and a hold names something until the last has left it`() async throws {
        let store = try folder.open()
        _ = try await store.write { transaction throws in
            let number = try transaction.raise(Hold(.massDelete, .pull, reason: "x", since: 1))
            for key in [Sample.key(1), Sample.key(1), Sample.key(2)] {
                try transaction.insertHeld(key, hold: number, payload: nil, lastEdit: .zero, source: nil)
            }
            #expect(try transaction.hold(number)?.count == 2)
            for held in try transaction.held(by: number) {
                #expect(try transaction.namesAny(hold: number))
                try transaction.removeHeld(held)
            }
            #expect(try !transaction.namesAny(hold: number) && transaction.hold(number)?.count == 0)
        }
    }
}
