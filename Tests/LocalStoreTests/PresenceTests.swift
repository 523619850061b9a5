import JSONText
import SyncCore
import SyncModel
import Testing

@testable import LocalStore

/// What is known not to be there is not looked for, and what is there is always found.
struct PresenceTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    @Test func `a filter has all that was put in, and little else`() {
        var filter = BloomFilter()
        // People number what they make, and a random number has no order.
        let numbers = (0..<150_000).map { UInt64($0) } + (0..<150_000).map { UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
        for number in numbers { filter.insert(number) }
        #expect(numbers.allSatisfy { filter.mayContain($0) })
        let wrong = (0..<300_000).count { filter.mayContain(UInt64.max - UInt64($0)) }
        #expect(wrong < 60)
    }

    private func records(_ numbers: some Sequence<UInt64>, in transaction: Transaction) throws -> [UInt64] {
        try numbers.filter { try transaction.record(Sample.key($0)).row != nil }
    }

    private struct TestFailure: Error {}

    @Test func `records are found before, while and after it is read what is there`() async throws {
        do {
            let store = try folder.open()
            _ = try await store.write { transaction throws in
                for number in 0..<100 { try transaction.put(Sample.film("Alien", 5), UInt64(number)) }
            }
            store.close()
        }
        let store = try folder.open()
        #expect(try await store.read { try records(0..<200, in: $0) } == Array(0..<100))
        _ = try await store.write { try $0.put(Sample.film("Alien", 5), 100) }
        try await store.readPresence()
        _ = try await store.write { try $0.put(Sample.film("Alien", 5), 101) }
        await #expect(throws: TestFailure.self) {
            _ = try await store.write { transaction throws in
                try transaction.put(Sample.film("Alien", 5), 102)
                #expect(try records(100..<110, in: transaction) == [100, 101, 102])
                throw TestFailure()
            }
        }
        #expect(try await store.read { try records(0..<200, in: $0) } == Array(0..<102))
        _ = try await store.write { try $0.put(Sample.film("Alien", 5), 102) }
        #expect(try await store.read { try records(0..<200, in: $0) } == Array(0..<103))
        store.close()
    }

    private func new(_ names: [Int], in store: LocalStore) async throws -> [Bool] {
        try await store.write { transaction throws in
            try transaction.registerOperations(names.map { OperationMark("\($0)") }, now: 7)
        }.result
    }

    @Test func `operations are known again, one by one and many at once, also after a restart`() async throws {
        do {
            let store = try folder.open()
            try await store.readPresence()
            for name in 0..<600 { #expect(try await new([name], in: store) == [true]) }
            #expect(try await new(Array(0..<5_000), in: store) == (0..<5_000).map { $0 >= 600 })
            #expect(try await new([5_000, 5_001, 5_000], in: store) == [true, true, false])
            store.close()
        }
        let store = try folder.open()
        #expect(try await new([0, 6_000, 4_999, 5_001, 6_000], in: store) == [false, true, false, false, false])
        try await store.readPresence()
        #expect(try await new([0, 6_000, 4_999, 5_001, 7_000], in: store) == [false, false, false, false, true])
        #expect(try await store.read { try $0.isRegistered(opID: "7000") })
        #expect(try await store.read { try !$0.isRegistered(opID: "8000") })
        store.close()
    }

    @Test func `an operation of a transaction that was taken back is new`() async throws {
        let store = try folder.open()
        try await store.readPresence()
        await #expect(throws: TestFailure.self) {
            _ = try await store.write { transaction throws in
                #expect(try transaction.registerOperations([OperationMark("a")], now: 7) == [true])
                throw TestFailure()
            }
        }
        #expect(try await store.write { try $0.registerOperations([OperationMark("a")], now: 7) }.result == [true])
        #expect(try await store.write { try $0.registerOperations([OperationMark("a")], now: 7) }.result == [false])
        store.close()
    }
}
