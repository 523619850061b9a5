import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// Records that are new go into their table many at a time, and nobody sees a difference.
struct NewRecordsTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    /// A record of which nothing but its version is known, as most new ones are.
    private func plain(_ number: UInt64) -> RecordState {
        var state = RecordState(Sample.key(number))
        state.known.fields = StampedContent(Content(fields: ["title": "Alien"]), FieldStamps(Sample.stamp(10)))
        state.stamp = Sample.stamp(10)
        return state
    }

    /// All that a record may have beside its version.
    private func departures() -> [(inout RecordState) -> Void] {
        let content = Content(fields: ["title": "Alien"])
        func present(_ change: (inout RemoteSnapshot) -> Void = { _ in }) -> RecordState.Base {
            var snapshot = RemoteSnapshot(
                stamp: Sample.stamp(10), content: content, fieldStamps: FieldStamps(Sample.stamp(10)))
            change(&snapshot)
            return .present(snapshot)
        }
        return [
            { _ in }, { $0.base = .absent }, { $0.base = present() }, { $0.base = present { $0.etag = "e" } },
            { $0.base = present { $0.lastStamp = Sample.stamp(9) } }, { $0.base = present { $0.isComplete = false } },
            { $0.base = present { $0.content = Content(fields: ["title": "Aliens"]) } },
            { $0.base = present { $0.fieldStamps = FieldStamps(Sample.stamp(10), named: ["a": Sample.stamp(1)]) } },
            { $0.base = present { $0.fieldStamps = FieldStamps(Sample.stamp(11)) } },
            { $0.known.deletion = Sample.stamp(1) }, { $0.known.deletion = Sample.stamp(99) },
            { $0.known.fields?.stamps = FieldStamps(Sample.stamp(9)) },
            { $0.known.fields?.stamps = FieldStamps(Sample.stamp(10), named: ["title": Sample.stamp(8)]) },
            { $0.known = KnownVersion() }, { $0.stamp = nil }, { $0.remoteKey = "lower" },
            { $0.observed = .whole(Sample.stamp(2)) }, { $0.observed = .fields(["title": Sample.stamp(2)]) },
            { $0.editedOver = ["year": 1979] }, { $0.ownStamp = Sample.stamp(7) }, { $0.newInRun = 8 },
            { $0.timesPutBack = 2 },
            { $0.tombstone = KnownTombstone(stamp: Sample.stamp(4), contentHash: ContentHash(of: [1]), etag: "t") },
        ]
    }

    @Test func `nothing that is known of a new record is lost`() async throws {
        let store = try folder.open()
        let states = departures().enumerated().map { number, change in
            var state = plain(UInt64(number))
            change(&state)
            return state
        }
        _ = try await store.write { transaction throws in
            for state in states {
                var stored = try transaction.record(state.key)
                stored.state = state
                stored.lastChange = 5
                try transaction.save(stored, pending: .yes, now: 77)
            }
        }
        try await store.read { transaction throws in
            for state in states {
                let stored = try transaction.record(state.key)
                #expect(stored.state == state)
                #expect(stored.pendingSince == 77)
                #expect(stored.lastChange == 5)
            }
        }
    }

    @Test func `a transaction sees what it has stored, however it looks`() async throws {
        let store = try folder.open()
        let done = try await store.write { transaction throws in
            var rows: [Int64?] = []
            for number in 1...200 as ClosedRange<UInt64> {
                try transaction.put(Sample.film("Film \(number)", 1), number, pending: number % 2 == 0 ? .yes : .no)
                if number % 70 == 0 { #expect(try transaction.pendingIDs(in: "movies").count == Int(number / 2)) }
            }
            #expect(try transaction.page(of: "movies", after: nil, limit: 300).count == 200)
            // Twice in one transaction: the second one changes the row of the first.
            try transaction.put(Sample.film("Once", 1), 201)
            try transaction.put(Sample.film("Twice", 2), 201)
            for number in 199...201 as ClosedRange<UInt64> {
                rows.append(try transaction.record(Sample.key(number)).row)
            }
            return rows
        }
        let (rows, effects) = (done.result, done.effects)
        #expect(rows == [199, 200, 201])
        #expect(effects.counts["movies"]?.records == 201)
        try await store.read { transaction throws in
            #expect(try transaction.record(Sample.key(201)).state.version == Sample.film("Twice", 2))
            #expect(try transaction.recount("movies") == transaction.counts(of: "movies"))
        }
    }

    @Test func `the push of a record that the same transaction has stored is noted`() async throws {
        let store = try folder.open()
        let isNoted = try await store.write { transaction throws in
            try transaction.put(Sample.film("Alien", 10), 1)
            let content = StampedContent(Content(fields: ["title": "Alien"]), FieldStamps(Sample.stamp(10)))
            return try transaction.acknowledge(Sample.key(1), row: 1, content, at: Sample.stamp(10))
        }.result
        #expect(isNoted)
        #expect(try await store.read { try $0.pendingIDs(in: "movies") } == [])
    }

    @Test func `a transaction that fails leaves none of them`() async throws {
        let store = try folder.open()
        await #expect(throws: TransactionTests.Interrupted.self) {
            try await store.write { transaction throws in
                for number in 1...100 as ClosedRange<UInt64> { try transaction.put(Sample.film("Film", 1), number) }
                throw TransactionTests.Interrupted()
            }
        }
        _ = try await store.write { try $0.put(Sample.film("Film", 1), 7) }
        #expect(try await store.read { try $0.record(Sample.key(7)) }.row != nil)
        #expect(try await store.read { try $0.record(Sample.key(8)) }.row == nil)
    }

    @Test func `of many operations those are new that were not noted, each once`() async throws {
        let store = try folder.open()
        func register(_ numbers: [Int]) async throws -> [Bool] {
            try await store.write { transaction throws in
                try transaction.registerOperations(numbers.map { OperationMark("\($0)") }, now: 1)
            }.result
        }
        #expect(try await register(Array(0..<100)) == Array(repeating: true, count: 100))
        // Old ones, new ones, and new ones that come again.
        let mixed = (0..<200).map { $0 < 150 ? $0 * 2 : $0 - 50 }
        var seen = Set(0..<100)
        #expect(try await register(mixed) == mixed.map { seen.insert($0).inserted })
        #expect(try await register(Array(seen)) == Array(repeating: false, count: seen.count))
    }

    @Test func `nothing can wait in a hold that is not there, and what waits goes with its hold`() async throws {
        let store = try folder.open()
        await #expect(throws: StoreError.self) {
            try await store.write {
                try $0.insertHeld(Sample.key(1), hold: 1, payload: nil, lastEdit: .zero, source: nil)
            }
        }
        _ = try await store.write { transaction throws in
            let hold = try transaction.raise(Hold(.massDelete, .pull, reason: "x", since: 1))
            try transaction.insertHeld(Sample.key(1), hold: hold, payload: nil, lastEdit: .zero, source: nil)
            #expect(try transaction.anyHeld())
            try transaction.removeHold(hold)
        }
        #expect(try await store.read { try $0.anyHeld() } == false)
    }
}
