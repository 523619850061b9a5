import JSONText
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import LocalStore

/// New records stand in their rows as if they were acknowledged; nobody sees a difference, whatever is done to them.
struct UnacknowledgedRowsTests {
    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    /// What the store is to say of records, by their numbers.
    private struct Model {
        var records: [UInt64: (state: RecordState, pending: Pending, since: Int64)] = [:]
        var rows: [UInt64: Int64] = [:]

        var pending: [RecordID] {
            records.filter { $0.value.pending == .yes }.map(\.key).sorted().map { Sample.key($0).id }
        }
        var inBase: [RecordID] {
            records.filter { $0.value.state.remote != nil }.map(\.key).sorted().map { Sample.key($0).id }
        }
        var oldest: Int64? { records.values.filter { $0.pending != .no }.map(\.since).min() }
    }

    private func sent(_ number: UInt64) -> StampedContent {
        StampedContent(
            Content(fields: ["title": .string("Film \(number)")]), FieldStamps(Sample.stamp(number + 1)))
    }

    private func new(_ number: UInt64, isAbsent: Bool) -> RecordState {
        var state = RecordState(Sample.key(number))
        state.known.fields = sent(number)
        state.stamp = Sample.stamp(number + 1)
        state.ownStamp = state.stamp
        state.newInRun = 3
        if isAbsent { state.base = .absent }
        return state
    }

    /// Does something at random, and notes in the model what becomes of it.
    private func step(
        _ random: inout SeededRandom, _ model: inout Model, _ next: inout UInt64, in transaction: Transaction
    ) throws {
        let present = model.records.keys.sorted()
        let since = Int64.random(in: 1...3, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
            let isAbsent = Bool.random(using: &random)
            for _ in 0..<Int.random(in: 1...150, using: &random) {
                var stored = try transaction.record(Sample.key(next))
                stored.state = new(next, isAbsent: isAbsent)
                let pending: Pending = Int.random(in: 0..<200, using: &random) == 0 ? .blocked : .yes
                model.rows[next] = try transaction.save(stored, pending: pending, now: UInt64(since))
                model.records[next] = (stored.state, pending, since)
                next += 1
            }
        case 3...5:
            // In their order, as they are mostly acknowledged.
            let waiting = present.filter { model.records[$0]?.pending == .yes }
            let start = Bool.random(using: &random) ? 0 : Int.random(in: 0...waiting.count, using: &random)
            for number in waiting[start...].prefix(Int.random(in: 0...100, using: &random)) {
                try acknowledge(number, &model, in: transaction)
            }
        case 6:
            guard let number = present.randomElement(using: &random) else { return }
            try acknowledge(number, &model, in: transaction)
        case 7:
            guard let number = present.randomElement(using: &random) else { return }
            try change(number, &model, in: transaction)
        case 8:
            guard let number = present.randomElement(using: &random) else { return }
            try transaction.forget(try transaction.record(Sample.key(number)))
            model.records[number] = nil
        default:
            try transaction.countPendingAsAttempted()
            for number in present where model.records[number]?.pending != .no {
                model.records[number]?.state.newInRun = nil
            }
        }
    }

    private func change(_ number: UInt64, _ model: inout Model, in transaction: Transaction) throws {
        var stored = try transaction.record(Sample.key(number))
        stored.state.timesPutBack += 1
        stored.state.remoteKey = "key \(number)"
        try transaction.save(stored, pending: .yes, now: 9)
        let old = model.records[number]
        model.records[number] = (stored.state, .yes, old?.pending == .no ? 9 : old?.since ?? 9)
    }

    private func acknowledge(_ number: UInt64, _ model: inout Model, in transaction: Transaction) throws {
        guard let record = model.records[number], let row = model.rows[number], let stamp = record.state.stamp else {
            return
        }
        let isSimple = record.pending == .yes && record.state.remoteKey == nil && record.state.remote == nil
        let isDone = try transaction.acknowledge(Sample.key(number), row: row, sent(number), at: stamp)
        #expect(isDone == isSimple, "record \(number)")
        guard isDone else { return }
        model.records[number]?.state.base = .present(RemoteSnapshot(stamp: stamp, content: sent(number).content))
        model.records[number]?.state.newInRun = nil
        model.records[number]?.pending = .no
    }

    private func check(_ model: Model, _ transaction: Transaction, upTo next: UInt64) throws {
        for number in 0..<next {
            let stored = try transaction.record(Sample.key(number))
            guard let record = model.records[number] else {
                #expect(stored.row == nil)
                continue
            }
            #expect(stored.state == record.state)
            #expect(stored.pending == record.pending)
            #expect(stored.pendingSince == (record.pending == .no ? nil : record.since))
        }
        let pending = try transaction.pendingIDs(in: "movies")
        #expect(pending.sorted() == model.pending)
        let since = pending.map { model.records[$0.low]?.since ?? 0 }
        #expect(since == since.sorted())
        #expect(try transaction.oldestPending(in: "movies") == model.oldest)
        var inBase: [RecordID] = []
        try transaction.forEachInBase(of: "movies") { inBase.append($1) }
        #expect(inBase == model.inBase)
        #expect(try transaction.recount("movies") == transaction.counts(of: "movies"))
        let page = try transaction.page(of: "movies", after: nil, limit: 10_000)
        #expect(page.map(\.state) == model.records.keys.sorted().compactMap { model.records[$0]?.state })
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `whatever is done to them, each says what it is`(seed: UInt64) async throws {
        var (store, random, model, next) = (try folder.open(), SeededRandom(seed), Model(), UInt64(0))
        for round in 0..<40 {
            let before = (random, model, next)
            (random, model, next) = try await store.write { transaction throws in
                var (random, model, next) = before
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    try self.step(&random, &model, &next, in: transaction)
                    if Int.random(in: 0..<4, using: &random) == 0 { try self.check(model, transaction, upTo: next) }
                }
                return (random, model, next)
            }.result
            let (now, end) = (model, next)
            try await store.read { try self.check(now, $0, upTo: end) }
            if round % 10 == 9 {
                store.close()
                store = try folder.open()
            }
        }
    }

    @Test func `written a few at a time they are no more runs than each transaction can read`() async throws {
        let store = try folder.open()
        for pair in 0..<300 as Range<UInt64> {
            _ = try await store.write { transaction throws in
                for number in [2 * pair, 2 * pair + 1] {
                    var stored = try transaction.record(Sample.key(number))
                    stored.state = self.new(number, isAbsent: false)
                    try transaction.save(stored, pending: .yes, now: pair + 1)
                }
            }
        }
        try await store.read { transaction throws in
            #expect(transaction.unacknowledged.runs.count == 250)
            #expect(try transaction.pendingIDs(in: "movies").map(\.low) == Array(0..<600))
            #expect(try transaction.recount("movies") == transaction.counts(of: "movies"))
            for number in 0..<600 as Range<UInt64> {
                let stored = try transaction.record(Sample.key(number))
                #expect(stored.state == self.new(number, isAbsent: false))
                #expect(stored.pendingSince == Int64(number / 2 + 1))
            }
        }
    }

    @Test func `acknowledged here and there they are as many, and wait no longer than they did`() async throws {
        let store = try folder.open()
        _ = try await store.write { transaction throws in
            for number in 0..<600 as Range<UInt64> {
                var stored = try transaction.record(Sample.key(number))
                stored.state = self.new(number, isAbsent: false)
                try transaction.save(stored, pending: .yes, now: 1)
            }
        }
        // Each second one: a run for each of the others would have to be read by every transaction.
        for number in stride(from: UInt64(0), to: 600, by: 2) {
            let isDone = try await store.write { transaction throws in
                let row = try transaction.record(Sample.key(number)).row ?? 0
                return try transaction.acknowledge(
                    Sample.key(number), row: row, self.sent(number), at: Sample.stamp(number + 1))
            }.result
            #expect(isDone)
        }
        try await store.read { transaction throws in
            let pending = try transaction.pendingIDs(in: "movies").map(\.low)
            #expect(pending.sorted() == Array(stride(from: 1, to: 600, by: 2)))
            #expect(try transaction.recount("movies") == transaction.counts(of: "movies"))
            for number in stride(from: UInt64(1), to: 600, by: 2) {
                let stored = try transaction.record(Sample.key(number))
                #expect(stored.state == self.new(number, isAbsent: false))
                #expect(stored.pendingSince == 1)
            }
        }
    }
}
