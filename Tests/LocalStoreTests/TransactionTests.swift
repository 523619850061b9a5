import JSONText
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

struct TransactionTests {
    struct Interrupted: Error {}

    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    @Test func `effect and cursor commit together, and a thrown error leaves nothing`() async throws {
        let store = try folder.open()
        _ = try await store.write { transaction throws in
            try transaction.put(Sample.film("Alien", 1), 1)
            try transaction.setValue("cursor", [1])
        }
        await #expect(throws: Interrupted.self) {
            try await store.write { transaction throws in
                try transaction.put(Sample.film("Aliens", 2), 1)
                try transaction.put(Sample.film("Brazil", 2), 2)
                try transaction.setValue("cursor", [2])
                _ = transaction.clock.now(wall: 99)
                try transaction.quarantine(QuarantinedItem(.journal, Defect(.invalidJSON, "x"), since: 1), .at(1))
                _ = try transaction.raise(Hold(.massDelete, .pull, reason: "x", since: 1))
                throw Interrupted()
            }
        }
        try await store.read { transaction throws in
            #expect(try transaction.record(Sample.key(1)).state.version == Sample.film("Alien", 1))
            #expect(try transaction.record(Sample.key(2)).state.version == nil)
            #expect(try transaction.value("cursor") == [1])
            #expect(transaction.clock.last.physical == 0)
            #expect(try transaction.holds().isEmpty)
            #expect(try transaction.quarantined(after: 0, limit: 9).isEmpty)
        }
    }

    @Test func `what was committed is there after the store is opened again`() async throws {
        let state = everything()
        let store = try folder.open()
        let clock = try await store.write { transaction throws in
            var stored = try transaction.record(state.key)
            stored.state = state
            try transaction.save(stored, pending: .blocked, now: 77)
            return transaction.clock.now(wall: 1234)
        }.result
        store.close()
        let again = try folder.open()
        try await again.read { transaction throws in
            let stored = try transaction.record(state.key)
            #expect(stored.state == state)
            #expect(stored.state.remote?.content.text == state.remote?.content.text)
            #expect(stored.pending == .blocked)
            #expect(stored.pendingSince == 77)
            #expect(transaction.clock.last == clock)
        }
    }

    /// A state with a value in every place.
    private func everything() -> RecordState {
        var state = RecordState(Sample.key(3))
        let named = ["title": Sample.stamp(8), "tags/a b": Sample.stamp(2), "gone": Sample.stamp(9)]
        state.known = KnownVersion(
            fields: StampedContent(Content(fields: ["title": "Alien"]), FieldStamps(Sample.stamp(7), named: named)),
            deletion: Sample.stamp(1))
        state.stamp = Sample.stamp(10)
        state.base = .present(
            RemoteSnapshot(
                stamp: nil, lastStamp: Sample.stamp(3),
                lastFieldStamps: FieldStamps(Sample.stamp(2), named: ["title": Sample.stamp(3)]),
                content: Content(fields: ["title": "Other"]), etag: "e", isComplete: false))
        state.remoteKey = "lower"
        state.observed = .fields(["title": Sample.stamp(6)])
        state.editedOver = ["year": 1979, "note": ["a": [1, true]]]
        state.tombstone = KnownTombstone(stamp: Sample.stamp(4), contentHash: ContentHash(of: [1]), etag: "t")
        state.ownStamp = Sample.stamp(7)
        state.newInRun = 8
        state.timesPutBack = 2
        return state
    }

    private func stamped(_ title: JSONValue, _ stamp: Stamp, _ named: [String: Stamp] = [:]) -> RecordState.Base {
        .present(
            RemoteSnapshot(
                stamp: stamp, content: Content(fields: ["title": title]), fieldStamps: FieldStamps(stamp, named: named))
        )
    }

    private func overwritten(_ stamps: FieldStamps?) -> RecordState.Base {
        .present(
            RemoteSnapshot(
                stamp: nil, lastStamp: Sample.stamp(3), lastFieldStamps: stamps,
                content: Content(fields: ["title": "App's"])))
    }

    /// What may be otherwise in ``everything()``; of the base also that it holds what is known, all of it or in part.
    private func variations() -> [(inout RecordState) -> Void] {
        let named = ["title": Sample.stamp(1)]
        return [
            { $0.base = .absent }, { $0.base = .unknown }, { $0.observed = nil },
            { $0.observed = .whole(Sample.stamp(2)) }, { $0.known = KnownVersion() }, { $0.known.fields = nil },
            { $0.known.deletion = nil }, { $0.known.deletion = Sample.stamp(99) }, { $0.stamp = nil },
            { $0.known.fields?.stamps = FieldStamps(Sample.stamp(10)) },
            { $0.known.fields?.stamps = FieldStamps(.zero, named: ["title": Sample.stamp(10)]) },
            { $0.base = stamped("Alien", Sample.stamp(10)) },
            { $0.base = stamped("Alien", Sample.stamp(10), named) },
            {
                $0.known.fields?.stamps = FieldStamps(Sample.stamp(10))
                $0.base = stamped("Alien", Sample.stamp(10))
            },
            {
                $0.known.fields?.stamps = FieldStamps(Sample.stamp(10))
                $0.base = stamped("Alien", Sample.stamp(11), named)
            },
            {
                $0.known.fields?.stamps = FieldStamps(Sample.stamp(9), named: named)
                $0.base = stamped("Brazil", Sample.stamp(9), named)
            },
            {
                $0.known.fields = nil
                $0.base = stamped("Alien", Sample.stamp(3))
            },
            { $0.base = .present(RemoteSnapshot(stamp: nil, content: Content(fields: ["title": "Alien"]))) },
            { $0.base = overwritten($0.known.fields?.stamps) },
            {
                $0.known.fields = nil
                $0.base = overwritten(FieldStamps(Sample.stamp(3)))
            },
        ]
    }

    @Test func `a state comes back as it was, whatever is in it`() async throws {
        let store = try folder.open()
        let full = everything()
        var variants = [RecordState(full.key), full]
        for change in variations() {
            var state = full
            change(&state)
            variants.append(state)
        }
        for state in variants {
            _ = try await store.write { transaction throws in
                var stored = try transaction.record(state.key)
                stored.state = state
                try transaction.save(stored, pending: .no, now: 1)
            }
            let back = try await store.read { try $0.record(state.key).state }
            #expect(back == state)
            #expect(back.known.fields?.content.text == state.known.fields?.content.text)
            #expect(back.remote?.content.text == state.remote?.content.text)
        }
    }

    @Test func `an acknowledged push is noted only in the simple case`() async throws {
        let store = try folder.open()
        let content = Content(fields: ["title": "Alien"])
        let sent = StampedContent(content, FieldStamps(Sample.stamp(5)))
        let changes: [(@Sendable (inout RecordState) -> Void, Bool)] = [
            ({ _ in }, true), ({ $0.stamp = Sample.stamp(6) }, false),
            ({ $0.known.fields?.content = Content(fields: ["title": "Other"]) }, false),
            ({ $0.known.fields?.stamps.named["title"] = Sample.stamp(4) }, false),
            ({ $0.known.deletion = Sample.stamp(9) }, false), ({ $0.remoteKey = "lower" }, false),
            ({ $0.base = .present(RemoteSnapshot(stamp: Sample.stamp(1), content: content)) }, false),
            ({ $0.observed = .whole(Sample.stamp(1)) }, false),
        ]
        for (number, (change, isSimple)) in changes.enumerated() {
            let key = Sample.key(UInt64(number))
            _ = try await store.write { transaction throws in
                var stored = try transaction.record(key)
                stored.state.known.fields = sent
                stored.state.stamp = Sample.stamp(5)
                stored.state.newInRun = 1
                change(&stored.state)
                let row = try transaction.save(stored, pending: .yes, now: 1)
                let before = try transaction.record(key)
                #expect(try !transaction.acknowledge(Sample.key(99), row: row, sent, at: Sample.stamp(5)))
                let isDone = try transaction.acknowledge(key, row: row, sent, at: Sample.stamp(5))
                #expect(isDone == isSimple, "case \(number)")
                let after = try transaction.record(key)
                guard isSimple else { return #expect(after == before) }
                #expect(after.pending == .no)
                #expect(after.state.newInRun == nil)
                #expect(after.state.remote?.stamped == sent)
                #expect(after.state.remote?.stamp == Sample.stamp(5))
                #expect(!after.state.differs(keepsTombstones: true))
            }
        }
        let (kept, recount) = try await store.read { (try $0.counts(of: "movies"), try $0.recount("movies")) }
        #expect(kept == recount)
    }

    @Test func `the clock is stored with what it stamped, and never falls back`() async throws {
        var last: Stamp?
        for wall: UInt64 in [1000, 1000, 500, 2000, 10] {
            let store = try folder.open()
            let reading = try await store.write { $0.clock.now(wall: wall) }.result
            #expect(last.map { reading > $0 } ?? true)
            #expect(reading.node == store.node)
            last = reading
            store.close()
        }
    }

    @Test func `counts that are kept equal a recount after anything, within the transaction and after it`() async throws
    {
        let store = try folder.open()
        var counts = CollectionCounts()
        var random = SeededRandom(1)
        for round in 0..<150 {
            let numbers = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                UInt64.random(in: 0..<12, using: &random)
            }
            let choices = numbers.map { _ in Int.random(in: 0..<10, using: &random) }
            let effects = try await store.write { transaction throws in
                for (number, choice) in zip(numbers, choices) {
                    try Self.anything(choice, number, UInt64(round), transaction)
                }
                #expect(try transaction.counts(of: "movies") == transaction.recount("movies"), "round \(round)")
            }.effects
            counts += effects.counts["movies"] ?? CollectionCounts()
            let (kept, recount) = try await store.read { (try $0.counts(of: "movies"), try $0.recount("movies")) }
            #expect(counts == recount && kept == recount, "round \(round)")
        }
    }

    private static func anything(_ choice: Int, _ number: UInt64, _ round: UInt64, _ transaction: Transaction) throws {
        let key = Sample.key(number)
        switch choice {
        case 0, 1: try transaction.put(Sample.film("T\(round)", round), number, pending: .yes)
        case 2: try transaction.put(Sample.film("T\(round)", round), number, pending: .no)
        case 3: try transaction.put(Version(nil, Sample.stamp(round)), number, pending: .blocked)
        case 4: try transaction.put(nil, number, pending: .no)
        case 5, 6:
            var item = QuarantinedItem(choice == 5 ? .pull : .journal, Defect(.refused, "no"), since: round)
            item.collection = "movies"
            item.record = key.id.description
            try transaction.quarantine(item, .at(round))
        case 7:
            for item in try transaction.quarantined(collection: "movies", record: key.id.description) {
                try transaction.release(item, .at(round))
                try transaction.release(item, .at(round))
            }
        case 8:
            var stored = try transaction.record(key)
            stored.state.known.deletion = Sample.stamp(round)
            stored.state.observed = number % 2 == 0 ? .whole(Sample.stamp(round)) : nil
            try transaction.save(stored, pending: .yes, now: round)
        default:
            try transaction.append(
                conflict: LedgerEntry(
                    number: 0, key: key, at: round, rule: "laterStamp", fields: [], winner: Sample.film("a", 2),
                    loser: Sample.film("b", 1)))
        }
    }

    @Test func `records wait in the order they became pending, and blocked ones are not named`() async throws {
        let store = try folder.open()
        let effects = try await store.write { transaction throws in
            try transaction.put(Sample.film("c", 1), 3, now: 30)
            try transaction.put(Sample.film("a", 1), 1, now: 10)
            try transaction.put(Sample.film("b", 1), 2, now: 20)
            try transaction.put(Sample.film("d", 1), 4, pending: .blocked, now: 5)
            try transaction.put(Sample.film("e", 1), 5, pending: .no, now: 1)
            try transaction.put(Sample.film("a2", 2), 1, now: 99)
        }.effects
        try await store.read { transaction throws in
            #expect(try transaction.pendingIDs(in: "movies") == [1, 2, 3].map { Sample.key($0).id })
            #expect(try transaction.oldestPending(in: "movies") == 5)
        }
        #expect(Set(effects.toPush) == Set([1, 2, 3].map { Sample.key($0) }))
    }
}
