import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Records that are looked for in the order of their rows are found without their ids being looked up; nobody sees a
/// difference.
struct RecordRunTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private func content(_ title: String) -> StampedContent {
        StampedContent(Content(fields: ["title": .string(title)]), FieldStamps(Sample.stamp(10)))
    }

    private func fill(_ store: LocalStore, _ numbers: ClosedRange<UInt64>) async throws {
        _ = try await store.write { transaction throws in
            for number in numbers {
                var stored = try transaction.record(Sample.key(number))
                stored.state.known.fields = content("\(number)")
                stored.state.stamp = Sample.stamp(10)
                try transaction.save(stored, pending: .yes, now: 1)
            }
        }
    }

    private func title(_ number: UInt64, _ transaction: Transaction) throws -> String? {
        try transaction.record(Sample.key(number)).state.known.fields?.content.fields["title"]?.text
    }

    @Test(
        arguments: [
            [1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5, 6, 7, 9], [9, 8, 7, 1, 2, 3, 3, 4], [1, 2, 99, 3, 4, 5],
            [7, 8, 9, 10, 1, 2],
        ] as [[UInt64]])
    func `each is found, in whatever order`(order: [UInt64]) async throws {
        let store = try folder.open()
        try await fill(store, 1...9)
        try await store.read { transaction throws in
            for number in order {
                #expect(try self.title(number, transaction) == (number < 10 ? "\(number)" : nil))
            }
        }
    }

    @Test func `what is changed meanwhile is seen`() async throws {
        let store = try folder.open()
        try await fill(store, 1...9)
        _ = try await store.write { transaction throws in
            for number in 1...3 as ClosedRange<UInt64> { _ = try transaction.record(Sample.key(number)) }
            var fourth = try transaction.record(Sample.key(4))
            fourth.state.known.fields = self.content("new")
            try transaction.save(fourth, pending: .yes, now: 1)
            var fifth = try transaction.record(Sample.key(5))
            fifth.state.known.fields = self.content("newer")
            try transaction.save(fifth, pending: .yes, now: 1)
            try transaction.forget(try transaction.record(Sample.key(6)))
            let found = try (1...9).map { try self.title($0, transaction) }
            #expect(found == ["1", "2", "3", "new", "newer", nil, "7", "8", "9"])
        }
    }

    @Test func `what comes in meanwhile is found`() async throws {
        let store = try folder.open()
        try await fill(store, 1...3)
        _ = try await store.write { transaction throws in
            for number in 1...3 as ClosedRange<UInt64> { _ = try transaction.record(Sample.key(number)) }
            for number in 4...6 as ClosedRange<UInt64> {
                var stored = try transaction.record(Sample.key(number))
                stored.state.known.fields = self.content("\(number)")
                stored.state.stamp = Sample.stamp(10)
                try transaction.save(stored, pending: .yes, now: 1)
            }
            let found = try (1...7).map { try self.title($0, transaction) }
            #expect(found == ["1", "2", "3", "4", "5", "6", nil])
        }
    }

    @Test func `one id in two collections is two records`() async throws {
        let store = try folder.open()
        let other = RecordKey("artists", Sample.key(2).id)
        _ = try await store.write { transaction throws in
            for key in [Sample.key(1), Sample.key(2), other, Sample.key(3)] {
                var stored = try transaction.record(key)
                stored.state.known.fields = self.content("\(key)")
                stored.state.stamp = Sample.stamp(10)
                try transaction.save(stored, pending: .yes, now: 1)
            }
        }
        try await store.read { transaction throws in
            for key in [Sample.key(1), Sample.key(2), Sample.key(2), other, Sample.key(3)] {
                #expect(try transaction.record(key).state.known.fields == self.content("\(key)"))
            }
        }
    }

    @Test func `a transaction that fails in the middle of it keeps nobody from writing`() async throws {
        struct Failure: Error {}
        let store = try folder.open()
        try await fill(store, 1...9)
        await #expect(throws: Failure.self) {
            _ = try await store.write { transaction throws in
                for number in 1...4 as ClosedRange<UInt64> { _ = try transaction.record(Sample.key(number)) }
                throw Failure()
            }
        }
        try await fill(store, 10...12)
        try await store.read { transaction throws in
            #expect(try (1...12).map { try self.title($0, transaction) } == (1...12).map { "\($0)" })
        }
        store.close()
    }
}
