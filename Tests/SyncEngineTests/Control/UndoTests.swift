import ControlAPI
import JSONText
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// What a record's history tells, and what an undo makes of it.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct UndoTests {
    @Test func `a history says who changed what and when`() async throws {
        let rig = try EngineUnderTest()
        try await rig.show(1, ["title": "A", "hasWatched": false], rig.stamp(of: 7))
        try await rig.apply(.update, 1, ["title": "B"])
        try await rig.show(1, ["title": "C", "hasWatched": false], nil)
        try await rig.apply(.delete, 1)
        let history = try await rig.engine.history(of: EngineUnderTest.id(1), in: "movies", after: nil, limit: 100)
        #expect(history.items.filter { $0.op != "conflict" }.map(\.op) == ["delete", "update", "update", "create"])
        #expect(history.items.last?.who == "0000000000000007" && history.complete && history.next == nil)
        let app = try #require(history.items.first { $0.fields.contains { $0.who == "app" } })
        #expect(app.fields.map(\.before) == ["B"] && app.fields.map(\.after) == ["C"] && app.who == "app")
        let mine = try #require(history.items.first { $0.origin == "journal" && $0.op == "update" })
        #expect(mine.who == "this node" && mine.fields.map(\.name) == ["title"])
        let first = try await rig.engine.history(of: EngineUnderTest.id(1), in: "movies", after: nil, limit: 1)
        #expect(first.items.map(\.op).contains("delete") && !first.complete)
        let second = try await rig.engine.history(
            of: EngineUnderTest.id(1), in: "movies", after: first.next, limit: 100)
        #expect(second.items.filter { $0.seq != nil }.count == 3 && second.complete)
    }

    @Test func `a history says what is no longer kept`() async throws {
        let rig = try EngineUnderTest()
        try await rig.apply(.create, 1, ["title": "A"])
        try await rig.engine.context.commit { transaction in
            var stored = try transaction.record(EngineUnderTest.key(1))
            for number in 1...1_200 {
                let version = Version(Content(fields: ["title": .string("B\(number)")]), transaction.clock.last)
                stored.lastChange = try transaction.append(
                    change: .update, origin: .journal, of: EngineUnderTest.key(1), version, at: UInt64(number),
                    past: ChangePast(was: ["title": .string("B\(number - 1)")]), previous: stored.lastChange)
            }
            try transaction.save(stored, pending: .no, now: 1)
            try transaction.noteFeedWritten(upTo: 1_201, keeping: 10)
        }
        let history = try await rig.engine.history(of: EngineUnderTest.id(1), in: "movies", after: nil, limit: 100)
        #expect(history.items.count == 10 && !history.complete && history.keptSince == history.items.last?.at)
        #expect(history.items.last?.fields.first?.before == "B1190")
        let kept = try await rig.engine.changes(after: nil, limit: 100).items
        #expect(kept.count == 10)
        let before = try #require(kept.first).seq - 1
        #expect(try await rig.engine.changes(after: before, limit: 100).items.map(\.seq) == kept.map(\.seq))
        let refusal = await #expect(throws: ControlError.self) {
            _ = try await rig.engine.changes(after: before - 1, limit: 100)
        }
        #expect(refusal?.status == 410 && refusal?.message.contains("only those after \(before)") == true)
    }

    /// What a plan does to record 1 is the same tried and done.
    private func undone(
        _ rig: EngineUnderTest, since: Moment, until: Moment? = nil, from: String? = nil, yes: Bool = false
    ) async throws -> UndoReply {
        let before = try await rig.store.read { try $0.changeBounds()?.last }
        let order = UndoOrder(since: since, until: until, from: from, dryRun: true, yes: yes)
        let tried = try await rig.engine.undo(order)
        #expect(try await rig.store.read { try $0.changeBounds()?.last } == before && !tried.done)
        var doing = order
        doing.dryRun = false
        let done = try await rig.engine.undo(doing)
        #expect(done.done == (done.waiting == 0) && done.left == tried.left && done.waiting == tried.waiting)
        let waiting = done.records.count { $0.what == "waits" }
        #expect(waiting == done.waiting && done.records.map(\.id) == tried.records.map(\.id))
        if waiting == 0 { #expect(done.records == tried.records) }
        return done
    }

    @Test func `fields get the values of before, deletes are taken back, creates are deleted`() async throws {
        let rig = try EngineUnderTest()
        try await rig.apply(.create, 1, ["title": "A", "year": 1979])
        try await rig.apply(.create, 2, ["title": "Gone"])
        let since = rig.later()
        try await rig.apply(.update, 1, ["title": "B", "year": nil])
        try await rig.apply(.update, 1, ["title": "C"])
        try await rig.apply(.update, 2, ["title": "Changed first"])
        try await rig.apply(.delete, 2)
        try await rig.apply(.create, 3, ["title": "New"])
        let reply = try await undone(rig, since: since)
        #expect(reply.count == 3 && reply.deletes == 1 && reply.leftCount == 0 && reply.keptSince == nil)
        #expect(try await rig.fields(1)?["title"] == "A")
        #expect(try await rig.fields(1)?["year"] == 1979)
        #expect(try await rig.fields(2)?["title"] == "Gone")
        #expect(try await rig.fields(3) == nil)
    }

    @Test func `what was changed since is left, and listed`() async throws {
        let rig = try EngineUnderTest()
        try await rig.apply(.create, 1, ["title": "A", "year": 1979])
        try await rig.apply(.create, 2, ["title": "Two"])
        let since = rig.later()
        try await rig.apply(.update, 1, ["title": "B", "year": 1980])
        try await rig.apply(.create, 3, ["title": "New"])
        try await rig.apply(.delete, 2)
        let until = rig.later()
        try await rig.apply(.update, 1, ["title": "Later"])
        try await rig.apply(.update, 3, ["title": "Later"])
        try await rig.apply(.create, 2, ["title": "Again"])
        let reply = try await undone(rig, since: since, until: until)
        #expect(reply.count == 1)
        #expect(reply.left.map(\.field) == ["title", "", ""])
        #expect(try await rig.fields(1)?["year"] == 1979)
        #expect(try await rig.fields(1)?["title"] == "Later")
        #expect(try await rig.fields(2)?["title"] == "Again")
        #expect(try await rig.fields(3)?["title"] == "Later")
    }

    @Test func `what is in a collection that is not enabled is left, and listed`() async throws {
        let rig = try EngineUnderTest()
        let key = RecordKey("artists", RecordID(high: 0x4011, low: 1))
        let since = rig.later()
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            let artists = context.applier.context("artists")
            var (stored, clock) = (try transaction.record(key), transaction.clock)
            let stamp = clock.now(wall: context.wall)
            let outcome = stored.state.edited(
                .create(["name": "Pink"]), at: stamp, artists.merge, clock: &clock, wall: context.wall)
            transaction.clock = clock
            try transaction.store(stored, outcome, origin: .journal, artists)
            let lost = Version(Content(fields: ["name": "Pink Floyd"]), stamp)
            try transaction.append(
                conflict: LedgerEntry(
                    number: 0, key: key, at: 1, rule: "laterStamp", fields: ["name"], winner: lost, loser: lost))
        }
        rig.later()
        let reply = try await undone(rig, since: since)
        #expect(reply.count == 0 && reply.left.map(\.reason) == ["its collection is not enabled"])
        await #expect(throws: ControlError.notEnabled("artists")) { try await rig.engine.restoreConflict(1) }
        #expect(try await rig.store.read { try $0.record(key).state.view?.fields } == ["name": "Pink"])
    }

    @Test(arguments: [("app", "A", false), ("0000000000000007", "App", false)])
    func `only what one side did is taken back`(from: String, title: String, watched: Bool) async throws {
        let rig = try EngineUnderTest()
        try await rig.show(1, ["title": "A", "hasWatched": false], rig.stamp(of: 7))
        let since = rig.later()
        try await rig.show(1, ["title": "App", "hasWatched": false], nil)
        let reply = try await undone(rig, since: since, from: from)
        #expect(reply.count == (from == "app" ? 1 : 0))
        #expect(try await rig.fields(1)?["title"]?.text == title)
        #expect(try await rig.fields(1)?["hasWatched"]?.truth == watched)
    }

    @Test func `the beginning of a node's id means one node`() async throws {
        let rig = try EngineUnderTest()
        let since = rig.later()
        for node: UInt64 in [0x7a, 0x7b] { try await rig.show(node, ["title": "A"], rig.stamp(of: node)) }
        func refusal(_ from: String) async -> String? {
            await #expect(throws: ControlError.self) { try await rig.engine.undo(UndoOrder(since: since, from: from)) }?
                .code
        }
        let refusals = await (refusal("0000"), refusal("b"))
        #expect(refusals == ("ambiguousNode", "unknownNode"))
        #expect(try await undone(rig, since: since, from: "000000000000000b").count == 0)
        let reply = try await undone(rig, since: since, from: "000000000000007A")
        #expect(reply.records.map(\.id) == [EngineUnderTest.id(0x7a)])
    }

    @Test func `a record that is forgotten has its history, and can be brought back`() async throws {
        let rig = try EngineUnderTest()
        try await rig.apply(.create, 1, ["title": "A"])
        let since = rig.later()
        try await rig.apply(.delete, 1)
        try await rig.engine.context.commit { try $0.forget(try $0.record(EngineUnderTest.key(1))) }
        func history(limit: Int = 10) async throws -> HistoryReply {
            try await rig.engine.history(of: EngineUnderTest.id(1), in: "movies", after: nil, limit: limit)
        }
        let forgotten = try await history()
        #expect(forgotten.items.map(\.op) == ["delete", "create"] && forgotten.complete)
        #expect(try await undone(rig, since: since).count == 1)
        #expect(try await rig.fields(1)?["title"] == "A")
        let again = try await history()
        #expect(again.items.map(\.op) == ["create", "delete", "create"] && again.complete)
        let (next, first) = (try await history(limit: 1).next, try #require(again.items.first?.seq))
        #expect(next == String(first))
        await #expect(throws: ControlError.self) {
            try await rig.engine.history(of: EngineUnderTest.id(2), in: "movies", after: nil, limit: 1)
        }
    }

    @Test(arguments: [true, false]) func `many deletes wait in a hold unless it is said`(_ yes: Bool) async throws {
        let rig = try EngineUnderTest()
        let since = rig.later()
        for number in 1...20 { try await rig.apply(.create, UInt64(number), ["title": "F"]) }
        let reply = try await undone(rig, since: since, yes: yes)
        #expect(reply.deletes == 20 && reply.holds == (yes ? [] : [1]) && reply.waiting == (yes ? 0 : 20))
        #expect(try await rig.fields(1) == nil || !yes)
        guard !yes else { return }
        #expect(try await rig.fields(1) != nil)
        let hold = try #require(try await rig.engine.holds().first)
        #expect(hold.kind == "massDelete" && hold.count == 20 && hold.reason.hasPrefix("an undo would delete 20"))
        _ = try await rig.engine.approve(hold: hold.id, dryRun: false)
        #expect(try await rig.fields(1) == nil)
    }

    @Test func `what undos delete counts together, and with what the journal deletes`() async throws {
        let rig = try EngineUnderTest()
        for number in 1...20 { try await rig.apply(.create, UInt64(number), ["title": "F"]) }
        let first = rig.later()
        for number in 21...24 { try await rig.apply(.create, UInt64(number), ["title": "F"]) }
        let second = rig.later()
        for number in 25...26 { try await rig.apply(.create, UInt64(number), ["title": "F"]) }
        #expect(try await undone(rig, since: second).waiting == 0)
        #expect(try await undone(rig, since: first).waiting == 0)
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var machine = JournalMachine()
            let lines = (1...3).map { (number: UInt64) in
                JournalMachine.Line(
                    text: [], offset: number, length: 0,
                    operation: .success(Operation(.delete, EngineUnderTest.key(number))))
            }
            _ = try machine.apply(
                lines, from: "journal", .live, monotonic: context.clock.monotonic(), in: transaction, context.applier)
        }
        let hold = try #require(try await rig.engine.holds().first)
        #expect(hold.kind == "massDelete" && hold.count == 3 && hold.reason.hasPrefix("the journal would delete 3"))
        #expect(try await rig.fields(1) != nil)
    }

    @Test func `undos that are a minute apart do not count together`() async throws {
        let rig = try EngineUnderTest()
        for number in 1...10 { try await rig.apply(.create, UInt64(number), ["title": "F"]) }
        for number in 11...30 {
            let since = rig.later()
            try await rig.apply(.create, UInt64(number), ["title": "F"])
            #expect(try await undone(rig, since: since).waiting == 0)
            rig.clock.advance(25_000)
        }
    }

    @Test(arguments: ["zebra", "", "00000000000000000"]) func `an author that can not be is refused`(
        _ from: String
    ) async throws {
        let rig = try EngineUnderTest()
        await #expect(throws: ControlError.self) {
            _ = try await rig.engine.undo(UndoOrder(since: rig.now, from: from))
        }
    }
}
