import Foundation
import GRDB
import JSONText
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import LocalStore

/// The index of records, which has levels, and nobody sees them.
struct RecordIndexTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private static let levels = [3, 10]
    private static let limits = StoreLimits(recordLevels: levels)

    /// How many records each level has.
    private func counts(_ transaction: Transaction) throws -> [Int] {
        try RecordIndex.levels.map {
            try Int.fetchOne(transaction.connection, sql: "SELECT count(*) FROM \($0)") ?? 0
        }
    }

    private func add(_ number: UInt64, to transaction: Transaction) throws {
        var stored = try transaction.record(Sample.key(number))
        stored.state.known.fields = StampedContent(Content(fields: ["title": "A"]), FieldStamps(Sample.stamp(10)))
        stored.state.stamp = Sample.stamp(10)
        // Every third is none that is inserted with others.
        if number.isMultiple(of: 3) { stored.state.timesPutBack = 1 }
        try transaction.save(stored, pending: .no, now: 1)
    }

    private func check(_ now: [UInt64], in transaction: Transaction) throws {
        for number in 0..<80 as Range<UInt64> {
            #expect(try (transaction.record(Sample.key(number)).row != nil) == now.contains(number))
        }
        let page = try transaction.page(of: "movies", after: nil, limit: 1000)
        #expect(page.map(\.state.key) == now.map { Sample.key($0) })
        let middle = Sample.key(40).id
        let rest = try transaction.page(of: "movies", after: middle, limit: 5)
        #expect(rest.map(\.state.key.id) == Array(now.map { Sample.key($0).id }.filter { $0 > middle }.prefix(5)))
        let counts = try counts(transaction)
        #expect(counts.reduce(0, +) == now.count)
        // What one transaction adds may be above, and what was not counted is at the next one that adds any.
        #expect(counts[0] <= Self.levels[0] + 5)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `whatever comes and goes, each record is found once, and all of them in their order`(seed: UInt64) async throws
    {
        var store = try folder.open(Self.limits)
        var random = SeededRandom(seed)
        var there: Set<UInt64> = []
        for round in 0..<60 {
            let (before, randomBefore) = (there, random)
            (there, random) = try await store.write { transaction throws in
                var (there, random) = (before, randomBefore)
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let number = UInt64.random(in: 0..<80, using: &random)
                    if there.remove(number) != nil {
                        try transaction.forget(try transaction.record(Sample.key(number)))
                    } else {
                        try add(number, to: transaction)
                        there.insert(number)
                    }
                }
                return (there, random)
            }.result
            if round % 20 == 19 {
                store.close()
                store = try folder.open(Self.limits)
            }
            let now = there.sorted()
            try await store.read { transaction throws in try check(now, in: transaction) }
        }
        let filled = try await store.read { transaction throws in try counts(transaction) }
        #expect(filled[1] > 0 || filled[2] > 0)
        store.close()
    }

    @Test func `what is taken back is in no level`() async throws {
        let store = try folder.open(Self.limits)
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            _ = try await store.write { transaction throws -> Void in
                for number in 0..<9 as Range<UInt64> { try add(number, to: transaction) }
                throw Stop()
            }
        }
        _ = try await store.write { transaction throws -> Void in
            for number in 0..<9 as Range<UInt64> { try add(number, to: transaction) }
        }
        try await store.read { transaction throws in
            #expect(try counts(transaction) == [0, 9, 0])
            #expect(try transaction.page(of: "movies", after: nil, limit: 99).count == 9)
        }
        store.close()
    }
}
