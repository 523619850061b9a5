import GRDB
import JSONText
import SyncCore
import SyncModel
import Testing

@testable import LocalStore

/// What would grow for ever does not.
struct LimitsTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private func store(_ change: (inout StoreLimits) -> Void) throws -> LocalStore {
        var limits = StoreLimits()
        change(&limits)
        return try folder.open(limits)
    }

    /// Registers operations and says which of them were new.
    private func register(_ opIDs: [Int], at now: UInt64, in store: LocalStore) async throws -> [Int] {
        try await store.write { transaction throws in
            try opIDs.filter { try transaction.registerOperations([OperationMark("\($0)")], now: now)[0] }
        }.result
    }

    @Test func `the oldest operations are forgotten, so many as came in`() async throws {
        let store = try store { $0.operations = 10 }
        #expect(try await register(Array(1...8), at: 1, in: store) == Array(1...8))
        #expect(try await register(Array(1...8), at: 2, in: store) == [])
        #expect(try await register(Array(9...13), at: 3, in: store) == Array(9...13))
        #expect(try await register(Array(4...13), at: 4, in: store) == [])
        #expect(try await register([3], at: 5, in: store) == [3])
    }

    @Test func `an operation is forgotten when it is old, and another one comes`() async throws {
        let store = try store { $0.operationAge = 1_000 }
        #expect(try await register([1, 2], at: 1_000, in: store) == [1, 2])
        #expect(try await register([3], at: 1_500, in: store) == [3])
        #expect(try await register([4], at: 2_000, in: store) == [4])
        #expect(try await register([1, 2, 3, 4], at: 2_001, in: store) == [])
        #expect(try await register([5], at: 2_001, in: store) == [5])
        #expect(try await register([3, 4, 5], at: 2_002, in: store) == [])
        #expect(try await register([1], at: 2_003, in: store) == [1])
    }

    @Test func `the ledger keeps the newest conflicts, and counts what it keeps`() async throws {
        let store = try store {
            $0.conflicts = 5
            $0.atOnce = 4
        }
        func append(_ times: ClosedRange<UInt64>) async throws {
            _ = try await store.write { transaction throws in
                for time in times {
                    let entry = LedgerEntry(
                        number: 0, key: Sample.key(time), at: time, rule: "laterStamp", fields: [],
                        winner: Version(nil, Sample.stamp(time + 1)), loser: Sample.film("Alien", time))
                    try transaction.append(conflict: entry)
                }
            }
        }
        func kept() async throws -> [UInt64] {
            try await store.read { transaction throws in
                #expect(try transaction.counts(of: "movies") == transaction.recount("movies"))
                return try transaction.conflicts(before: 0, limit: 99).map(\.at)
            }
        }
        try await append(1...5)
        #expect(try await kept() == [5, 4, 3, 2, 1])
        try await append(6...7)
        #expect(try await kept() == [7, 6, 5, 4, 3])
        try await append(8...17)
        #expect(try await kept() == Array((7...17).reversed()))
        try await append(18...18)
        #expect(try await kept() == Array((11...18).reversed()))
    }

    @Test func `a feed that nobody writes down keeps its newest entries, without gaps`() async throws {
        let store = try store { $0.changes = 100 }
        let film = Sample.film("Alien", 1)
        for _ in 0..<3 {
            _ = try await store.write { transaction throws in
                for _ in 0..<70 {
                    try transaction.append(change: .update, origin: .remote, of: Sample.key(1), film, at: 9)
                }
            }
        }
        let sequences = try await store.read { try $0.changes(after: 0, limit: 999).map(\.sequence) }
        #expect(sequences == Array(111...210))
    }

    private func item(_ source: QuarantinedItem.Source, _ record: String) -> QuarantinedItem {
        var item = QuarantinedItem(source, Defect(.refused, "no"), since: 3)
        item.collection = "movies"
        item.record = record
        return item
    }

    @Test func `above its limit the quarantine says that there are more, and lists what keeps a record back`()
        async throws
    {
        let store = try store { $0.quarantined = 3 }
        let items = (1...9).map { item(.pull, "key\($0)") } + [item(.push, "A"), item(.journal, "key3")]
        let blocking = item(.pull, Sample.key(1).id.description)
        _ = try await store.write { transaction throws in
            try transaction.put(Sample.film("Alien", 1), 1)
            for item in items + [blocking] { try transaction.quarantine(item, .at(3)) }
        }
        try await store.read { transaction throws in
            let kept = try transaction.quarantined(after: 0, limit: 99)
            #expect(kept.map(\.record) == ["key1", "key2", "key3", nil, "A", "key3", blocking.record])
            #expect(kept[3].defect.code == .more)
            #expect(try transaction.counts(of: "movies") == transaction.recount("movies"))
            #expect(try transaction.record(Sample.key(1)).pending == .blocked)
        }
    }

    @Test func `what stands for the others goes before all is shown again`() async throws {
        let store = try store { $0.quarantined = 3 }
        let items = (1...4).map { item(.pull, "key\($0)") }
        _ = try await store.write { transaction throws in
            for item in items { try transaction.quarantine(item, .at(3)) }
        }
        _ = try await store.write { transaction throws in
            for item in try transaction.quarantined(after: 0, limit: 2) { try transaction.release(item, .at(4)) }
            #expect(try transaction.quarantined(after: 0, limit: 99).last?.defect.code == .more)
            try transaction.forgetUnlisted(of: "movies")
        }
        try await store.read { transaction throws in
            #expect(try transaction.quarantined(after: 0, limit: 99).map(\.record) == ["key3"])
            #expect(try transaction.counts(of: "movies") == transaction.recount("movies"))
        }
    }

    @Test func `what the remote refuses of a record is found beside its lines, however many wait`() async throws {
        let plan = try await folder.open().database.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + Transaction.itemsAtRemote, arguments: ["movies", "key"]
            ).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("quarantine_place (collection=? AND record=? AND source=?)") }, "\(plan)")
    }

    @Test func `an item that comes again is found by its record, however many its source has`() async throws {
        let plan = try await folder.open().database.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + Transaction.repeatedItem,
                arguments: ["", "", nil, "movies", "key", "pull", false]
            ).map { $0["detail"] as String }
        }
        #expect(plan.allSatisfy { $0.contains("quarantine_place") }, "\(plan)")
    }

    @Test func `many entries of the feed in one transaction are in their order, and read in it`() async throws {
        let store = try folder.open()
        _ = try await store.write { transaction throws in
            for time in UInt64(1)...150 {
                try transaction.append(
                    change: .update, origin: .remote, of: Sample.key(time), Sample.film("Alien", time), at: time)
            }
            #expect(try transaction.changes(after: 0, limit: 999).map(\.at) == Array(1...150))
            #expect(try transaction.changeBounds()?.last == 150)
        }
    }

    @Test func `of a change the last two hundred later stamps are kept`() async throws {
        let store = try folder.open()
        let stamps = (1...205).map { Sample.stamp(UInt64($0)) }
        _ = try await store.write { transaction throws in
            try transaction.append(change: .create, origin: .remote, of: Sample.key(1), Sample.film("a", 1), at: 1)
            for stamp in stamps { try transaction.note(laterStamp: stamp, ofChange: 1) }
        }
        try await store.read { transaction throws in
            let change = try transaction.changes(of: Sample.key(1), endingWith: 1, before: .max, limit: 1).first
            #expect(change?.laterStamps == Array(stamps.suffix(200)))
        }
    }

    @Test func `what was given up is found among what else the ledger has of a record`() async throws {
        let store = try folder.open()
        @Sendable func entry(_ time: UInt64, _ rule: String) -> LedgerEntry {
            LedgerEntry(
                number: 0, key: Sample.key(1), at: time, rule: rule, fields: [], winner: Sample.film("a", time),
                loser: Sample.film("b", time - 1))
        }
        _ = try await store.write { transaction throws in
            for (time, rule) in [(2, "dropped"), (4, "laterStamp"), (6, "dropped"), (8, "laterStamp")] as [(UInt64, _)]
            {
                try transaction.append(conflict: entry(time, rule))
            }
            #expect(try transaction.givenUp(of: Sample.key(1))?.at == 6)
            try transaction.setRestored(conflict: 3)
            #expect(try transaction.givenUp(of: Sample.key(1))?.at == 2)
            #expect(try transaction.givenUp(of: Sample.key(2)) == nil)
        }
    }
}
