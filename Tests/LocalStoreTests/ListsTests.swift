import JSONText
import LocalStore
import SyncCore
import SyncModel
import Testing

/// The feed, the ledger, the quarantine, the holds and the operations that were applied.
struct ListsTests {
    struct Interrupted: Error {}

    let folder: StateFolder

    init() throws { folder = try StateFolder() }

    private func item(_ source: QuarantinedItem.Source, _ record: String?, _ reason: String) -> QuarantinedItem {
        var item = QuarantinedItem(source, Defect(.refused, reason), since: 3)
        item.collection = "movies"
        item.record = record
        return item
    }

    @Test func `the feed has no gaps, also after a transaction that failed`() async throws {
        let store = try folder.open()
        let film = Sample.film("Alien", 1)
        for round in 0..<10 {
            let fails = round % 3 == 1
            _ = try? await store.write { transaction throws in
                for _ in 0..<3 {
                    try transaction.append(change: .update, origin: .remote, of: Sample.key(1), film, at: 9)
                }
                if fails { throw Interrupted() }
            }
        }
        try await store.read { transaction throws in
            let changes = try transaction.changes(after: 0, limit: 100)
            #expect(changes.map(\.sequence) == Array(1...21))
            #expect(changes.allSatisfy { $0.version == film && $0.at == 9 && $0.origin == .remote })
            #expect(try transaction.changes(after: 20, limit: 100).map(\.sequence) == [21])
            #expect(try transaction.changes(after: 5, limit: 2).map(\.sequence) == [6, 7])
            #expect(try transaction.changeBounds().map { [$0.first, $0.last] } == [1, 21])
        }
    }

    @Test func `an entry of the feed is forgotten when it is written and old`() async throws {
        let store = try folder.open()
        let film = Sample.film("Alien", 1)
        _ = try await store.write { transaction throws in
            for _ in 0..<30_000 {
                try transaction.append(change: .update, origin: .remote, of: Sample.key(1), film, at: 9)
            }
        }
        func bounds(writtenUpTo sequence: Int64, keeping: Int64) async throws -> [Int64] {
            try await store.write { transaction throws in
                try transaction.noteFeedWritten(upTo: sequence, keeping: keeping)
                #expect(try transaction.feedWritten() == sequence)
                return try transaction.changeBounds().map { [$0.first, $0.last] } ?? []
            }.result
        }
        #expect(try await store.read { try $0.feedWritten() } == nil)
        #expect(try await bounds(writtenUpTo: 5_000, keeping: 200_000) == [1, 30_000])
        #expect(try await bounds(writtenUpTo: 500, keeping: 100) == [1, 30_000])
        #expect(try await bounds(writtenUpTo: 5_000, keeping: 100) == [5_001, 30_000])
        #expect(try await bounds(writtenUpTo: 30_000, keeping: 100) == [25_001, 30_000])
        #expect(try await bounds(writtenUpTo: 30_000, keeping: 100) == [29_901, 30_000])
    }

    @Test func `an entry of the feed is kept while a hook has to be told of it`() async throws {
        let store = try folder.open()
        let film = Sample.film("Alien", 1)
        _ = try await store.write { transaction throws in
            for _ in 0..<9_000 {
                try transaction.append(change: .update, origin: .plugin("x"), of: Sample.key(1), film, at: 9)
            }
            for (name, cursor) in [("slow", 2_000), ("gone", 1), ("off", 1), ("quick", 9_000)] as [(String, Int64)] {
                var hook = StoredHook(name: name, cursor: cursor)
                hook.since = 7
                if name == "off" { hook.off = "gone away" }
                try transaction.store(hook)
                #expect(try transaction.hook(name) == hook)
            }
            try transaction.setConfigured(hooks: ["slow", "off", "quick"])
        }
        func first() async throws -> Int64? {
            try await store.write { transaction throws in
                try transaction.noteFeedWritten(upTo: 9_000, keeping: 10)
                return try transaction.changeBounds()?.first
            }.result
        }
        #expect(try await first() == 2_001)
        #expect(try await store.read { try $0.changesWithPast(after: 0, limit: 1).map(\.origin) } == [.plugin("x")])
        _ = try await store.write { try $0.setConfigured(hooks: ["quick"]) }
        // One that was being told as it was taken out of the configuration says so when it is done.
        _ = try await store.write { try $0.store(StoredHook(name: "slow", cursor: 2_001)) }
        #expect(try await first() == 8_991)
    }

    @Test func `what a hook did not take is kept until it is taken or given up`() async throws {
        let store = try folder.open()
        let refused = (1...3).map {
            RefusedEvent(hook: "a", sequence: $0, since: 5, attempts: 2, reason: "no", event: [0x7B, 0x7D])
        }
        _ = try await store.write { transaction throws in
            for event in refused { try transaction.insert(event) }
            #expect(try transaction.refusedEvents(of: "a", after: 0, limit: 9) == refused)
            #expect(try transaction.refusedEvents(of: "b", after: 0, limit: 9) == [])
            #expect(try transaction.dueEvent(of: "a") == nil)
            #expect(try transaction.setDue(of: "a", [2, 7]) == 1)
            #expect(try transaction.dueEvent(of: "a")?.sequence == 2)
            try transaction.removeRefusedEvent(2, of: "a")
            #expect(try transaction.setDue(of: "a", nil) == 2)
            #expect(try transaction.refusedEventCount(of: "a") == 2)
        }
    }

    private func entry(_ time: UInt64) -> LedgerEntry {
        LedgerEntry(
            number: 0, key: Sample.key(1), at: time, rule: "laterStamp", fields: ["hasWatched", "title"],
            winner: Version(nil, Sample.stamp(time + 1)), loser: Sample.film("Alien", time))
    }

    @Test func `the ledger keeps both sides, newest first, with the fields that were decided`() async throws {
        let store = try folder.open()
        let entries = (1...5).map(entry)
        let effects = try await store.write { transaction throws in
            for entry in entries { try transaction.append(conflict: entry) }
            // Another reading shows one of them once more.
            var again = entry(3)
            again.at = 9
            try transaction.append(conflict: again)
        }.effects
        #expect(effects.decided.map(\.number) == [1, 2, 3, 4, 5])
        try await store.read { transaction throws in
            let newest = try transaction.conflicts(before: 0, limit: 2)
            #expect(newest == Array(effects.decided.reversed().prefix(2)))
            #expect(newest.first?.fields == ["hasWatched", "title"])
            #expect(newest.first?.loser == Sample.film("Alien", 5))
            #expect(newest.first?.winner.deleted == true)
            #expect(try transaction.conflicts(before: newest.last?.number ?? 0, limit: 9).map(\.at) == [3, 2, 1])
            #expect(try transaction.conflict(3)?.at == 3)
            #expect(try transaction.conflict(6) == nil)
            #expect(try transaction.counts(of: "movies").conflicts == 5)
        }
    }

    @Test func `what lost under a stamp that another value had lost under is in the ledger too`() async throws {
        let store = try folder.open()
        let (app, line) = (Sample.film("the app's", 3), Sample.film("of a line that claims an earlier time", 3))
        let losers = try await store.write { transaction throws in
            for loser in [app, line, app, line, Version(nil, app.stamp), Version(nil, app.stamp)] {
                var lost = entry(3)
                lost.loser = loser
                try transaction.append(conflict: lost)
            }
            return try transaction.conflicts(before: 0, limit: 9).map(\.loser)
        }.result
        #expect(losers == [Version(nil, app.stamp), line, app])
    }

    @Test func `what was restored is noted of that entry alone`() async throws {
        let store = try folder.open()
        let entries = (1...3).map(entry)
        _ = try await store.write { transaction throws in
            for entry in entries { try transaction.append(conflict: entry) }
            try transaction.setRestored(conflict: 2)
        }
        let restored = try await store.read { try $0.conflicts(before: 0, limit: 9).map(\.restored) }
        #expect(restored == [false, true, false])
    }

    @Test func `an operation is applied once, whatever happens between`() async throws {
        let store = try folder.open()
        _ = try? await store.write { transaction throws in
            _ = try transaction.registerOperations([OperationMark("a")], now: 1)
            throw Interrupted()
        }
        var first: [Bool] = []
        for opID in ["a", "b", "a", "b", "A"] {
            first.append(try await store.write { try $0.registerOperations([OperationMark(opID)], now: 1) }.result[0])
        }
        #expect(first == [true, true, false, false, true])
    }

    @Test func `a record has one item of push and pull each, but every line of the journal counts`() async throws {
        let store = try folder.open()
        let items = [
            item(.push, "A", "one"), item(.push, "A", "two"), item(.pull, "A", "three"), item(.push, "B", "four"),
            item(.journal, "A", "five"), item(.journal, "A", "six"), item(.pull, nil, "seven"),
            item(.pull, nil, "eight"),
        ]
        let effects = try await store.write { transaction throws in
            for item in items { try transaction.quarantine(item, .at(3)) }
        }.effects
        try await store.read { transaction throws in
            let kept = try transaction.quarantined(after: 0, limit: 99)
            #expect(kept.map(\.defect.message) == ["two", "three", "four", "five", "six", "seven", "eight"])
            #expect(kept.first?.attempts == 2)
            #expect(try transaction.quarantined(code: .refused, in: "movies").count == 7)
            #expect(try transaction.quarantined(code: .refused, in: "artists").isEmpty)
            #expect(try transaction.quarantinedFromJournal() == 2)
        }
        #expect(effects.counts["movies"]?.quarantined == 7)
    }

    @Test func `an item keeps all it was given, and attempts are counted`() async throws {
        let store = try folder.open()
        var line = QuarantinedItem(.journal, Defect(.unknownRecord, "who"), since: 42)
        (line.file, line.offset, line.length) = ("/j", 7, 9)
        (line.madeAt, line.stamp, line.payload) = (41, Sample.stamp(5), [1, 2])
        let given = line
        _ = try await store.write { transaction throws in
            try transaction.quarantine(given, .at(42))
            guard let item = try transaction.quarantined(after: 0, limit: 1).first else { throw Interrupted() }
            try transaction.noteAttempt(item, Defect(.invalidValue, "still"))
        }
        let back = try await store.read { try $0.quarantined(after: 0, limit: 1).first }
        var expected = given
        (expected.number, expected.attempts) = (back?.number ?? 0, 2)
        expected.defect = Defect(.invalidValue, "still")
        #expect(back == expected)
        let elsewhere = try await store.read { try $0.quarantinedElsewhere() }
        #expect(elsewhere == 1)
    }

    @Test func `a hold of a kind that only another version knows stays and is shown`() async throws {
        let store = try folder.open()
        var hold = Hold(.massDelete, .pull, reason: "later", since: 5)
        hold.word = "ofALaterVersion"
        let raised = hold
        _ = try await store.write { transaction throws in try transaction.raise(raised) }
        let holds = try await store.read { try $0.holds() }
        #expect(holds.map(\.word) == ["ofALaterVersion"] && holds.allSatisfy { $0.kind == nil })
    }

    @Test func `a hold names records in order, and ends with all it names`() async throws {
        let store = try folder.open()
        var hold = Hold(.futureEdit, .journal, reason: "later", since: 5)
        (hold.collection, hold.record, hold.until) = ("movies", Sample.key(1).id, 99)
        let raised = hold
        let number = try await store.write { transaction throws in
            let number = try transaction.raise(raised)
            try transaction.attach(Sample.key(1), to: number, payload: [1], .at(5))
            try transaction.attach(Sample.key(2), to: number, .at(5))
            try transaction.attach(Sample.key(1), to: number, payload: [2], .at(5))
            return number
        }.result
        store.close()
        let again = try folder.open()
        let effects = try await again.write { transaction throws in
            #expect(try transaction.hold(number)?.until == 99)
            #expect(try transaction.holds().map(\.record) == [Sample.key(1).id])
            #expect(try transaction.anyHeld())
            #expect(try transaction.held(Sample.key(1)).map(\.payload) == [[1], [2]])
            #expect(try transaction.held(by: number).map(\.key) == [1, 2, 1].map { Sample.key($0) })
            if let first = try transaction.held(Sample.key(1)).first { try transaction.removeHeld(first) }
            #expect(try transaction.held(Sample.key(1)).map(\.payload) == [[2]])
            #expect(try transaction.end(hold: number) { _ in .at(6) }.map(\.key) == [2, 1].map { Sample.key($0) })
            #expect(try transaction.end(hold: number) { _ in .at(6) }.isEmpty)
            #expect(try !transaction.anyHeld())
            #expect(try transaction.hold(number) == nil)
        }.effects
        #expect(effects.holdsChanged)
    }

    @Test func `pages have what is live in the order of ids, and prefixes find what they begin`() async throws {
        let store = try folder.open()
        _ = try await store.write { transaction throws in
            for number in [5, 1, 3, 4, 2] as [UInt64] { try transaction.put(Sample.film("F", 1), number) }
            try transaction.put(Version(nil, Sample.stamp(2)), 3)
            var ended = try transaction.record(Sample.key(4))
            ended.state.known.deletion = Sample.stamp(3)
            try transaction.save(ended, pending: .yes, now: 5)
        }
        try await store.read { transaction throws in
            let page = try transaction.page(of: "movies", after: nil, limit: 2).map(\.state.key)
            #expect(page == [1, 2].map { Sample.key($0) })
            let rest = try transaction.page(of: "movies", after: page.last?.id, limit: 1).map(\.state.key)
            #expect(rest == [Sample.key(5)])
            #expect(try transaction.records(of: "movies", prefix: "0000", limit: 9).count == 5)
            #expect(try transaction.records(of: "movies", prefix: "1", limit: 9).isEmpty)
            #expect(try transaction.records(of: "movies", prefix: "zz", limit: 9).isEmpty)
            #expect(try transaction.page(of: "artists", after: nil, limit: 3).isEmpty)
        }
    }
}
