import ControlAPI
import Dispatch
import Foundation
import JSONText
import LocalStore
import SyncCore
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

/// What is said of holds before they are decided, and what a decision that is only tried says.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct HoldReplyTests {
    /// A rig with films, the first `held` of which wait in a hold.
    private func rig(
        _ kind: HoldKind, _ direction: Direction, films: UInt64 = 3, held: UInt64 = 2,
        payload: @escaping @Sendable (UInt64) -> String? = { _ in nil }
    ) async throws -> EngineUnderTest {
        let rig = try EngineUnderTest()
        for number in 1...films { try await rig.show(number, ["title": .string("F\(number)")], rig.stamp(of: 7)) }
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var hold = Hold(kind, direction, reason: "a reason", since: context.wall)
            hold.collection = EngineUnderTest.movies
            let number = try transaction.raise(hold)
            for record in 1...held {
                try transaction.attach(
                    EngineUnderTest.key(record), to: number, payload: payload(record).map { Array($0.utf8) },
                    context.applier.context(EngineUnderTest.movies))
            }
        }
        return rig
    }

    private static func line(_ operation: String, _ number: UInt64, _ more: String = "") -> String {
        "{\"op\":\"\(operation)\",\"id\":\"\(EngineUnderTest.id(number))\"\(more)}"
    }

    @Test(arguments: [false, true])
    func `nothing is approved of a collection that is not enabled`(dryRun: Bool) async throws {
        let rig = try EngineUnderTest()
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var hold = Hold(.futureEdit, .journal, reason: "a reason", since: context.wall)
            hold.collection = "artists"
            _ = try transaction.raise(hold)
        }
        await #expect(throws: ControlError.notEnabled("artists")) {
            _ = try await rig.engine.approve(hold: 1, dryRun: dryRun)
        }
        let holds = try await rig.engine.holds()
        #expect(holds.map(\.id) == [1])
        #expect(holds.first?.approve == "is refused: \(ControlError.notEnabled("artists"))")
        _ = try await rig.engine.reject(hold: 1, dryRun: false)
        #expect(try await rig.engine.holds().isEmpty)
    }

    @Test func `a hold lists its records with what each answer does to them`() async throws {
        let rig = try await rig(.massDelete, .pull)
        try await rig.apply(.update, 2, ["title": "Edited"])
        let hold = try #require(try await rig.engine.holds().first)
        #expect(hold.count == 2)
        #expect(hold.records?.map(\.title) == ["F1", "Edited"])
        #expect(hold.records?.map(\.what.approve) == ["deleted on every node", "stays: it was edited here since"])
        #expect(Set(hold.records?.map(\.what.reject) ?? []) == ["kept, and written to the remote again"])
    }

    @Test(arguments: [
        (["delete"], "deleted", []), (["delete", "delete"], "deleted", []),
        (["delete", "update"], "deleted, then the change goes to quarantine", ["unknownRecord"]),
        (
            ["delete", "update", "update"], "deleted, then the change goes to quarantine",
            ["unknownRecord", "unknownRecord"]
        ),
        (["delete", "create", "update"], "deleted, then created, then changed", []),
        (["delete", "update", "create"], "deleted, then the change is overwritten, then created", []),
    ])
    func `what waits behind a held delete is applied behind it, or is in quarantine, as was said`(
        operations: [String], words: String, quarantined: [String]
    ) async throws {
        for approved in [true, false] {
            let lines = operations.indices.map { Self.line(operations[$0], 1, #","fields":{"title":"T\#($0)"}"#) }
            let rig = try await rig(.massDelete, .journal, held: 1) { _ in lines[0] }
            try await rig.engine.context.commit { [context = rig.engine.context] transaction in
                for line in lines.dropFirst() {
                    try transaction.attach(
                        EngineUnderTest.key(1), to: 1, payload: Array(line.utf8),
                        context.applier.context(EngineUnderTest.movies))
                }
            }
            let hold = try #require(try await rig.engine.holds().first)
            #expect(hold.records?.first?.what.approve == words)
            func decide(dryRun: Bool) async throws -> String? {
                let engine = rig.engine
                let reply =
                    try await approved
                    ? engine.approve(hold: hold.id, dryRun: dryRun) : engine.reject(hold: hold.id, dryRun: dryRun)
                return reply.records.first?.what
            }
            let tried = try #require(try await decide(dryRun: true))
            #expect(try await decide(dryRun: false) == tried)
            for code in quarantined { #expect(tried.contains("put into quarantine (\(code))") == approved) }
            let items = try await rig.engine.quarantine(after: nil, limit: 10).items
            #expect(items.map(\.code) == (approved ? quarantined : []))
            let view = try await rig.store.read { try $0.record(EngineUnderTest.key(1)).state.view }
            let last = operations.lastIndex { $0 != "delete" }.map { "T\($0)" } ?? "F1"
            #expect(view?.fields["title"]?.text == (approved && !operations.contains("create") ? nil : last))
        }
    }

    @Test(arguments: [HoldKind.clockWrong, .journalRewritten])
    func `what a hold keeps from being read is named, also what comes to it`(_ kind: HoldKind) async throws {
        let rig = try EngineUnderTest()
        try await rig.show(1, ["title": "F1"], rig.stamp(of: 7))
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            _ = try transaction.raise(Hold(kind, .journal, reason: "a reason", since: context.wall))
        }
        #expect(try await rig.engine.holds().first?.count == 0)
        try rig.append(Self.line("create", 2, #","fields":{"title":"New"}"#))
        let hold = try #require(try await rig.engine.holds().first)
        #expect(hold.count == 1)
        let record = try #require(hold.records?.first)
        #expect(record.title == "New" && record.what.approve == "it is created")
        #expect(!record.what.reject.isEmpty)
        try rig.append(Self.line("create", 3, #","fields":{"title":"Newer"}"#))
        #expect(try await rig.engine.holds().first?.records?.map(\.title) == ["New", "Newer"])
        #expect(try await rig.engine.approve(hold: hold.id, dryRun: true).count == 2)
        #expect(try await rig.engine.reject(hold: hold.id, dryRun: true).count == 0)
    }

    /// One that was there before the daemon has the time of its file, and is older than what another node has written since.
    @Test(arguments: [true, false])
    func `a line that waits for the clocks is said to do what it then does`(isBacklog: Bool) async throws {
        let rig = try EngineUnderTest()
        rig.remote.setClock(ahead: 61_000)
        try await rig.show(1, ["title": "F1"], rig.stamp(of: 7))
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            _ = try transaction.raise(Hold(.clockWrong, .journal, reason: "a reason", since: context.wall))
        }
        let update = Self.line("update", 1, #","fields":{"title":"Mine"}"#)
        try rig.append(isBacklog ? update : "")
        let path = rig.folder("journal.jsonl")
        let hourAgo = Date(timeIntervalSince1970: Double(rig.clock.wall) / 1000 - 3600)
        try FileManager.default.setAttributes([.modificationDate: hourAgo], ofItemAtPath: path)
        try await rig.whileRunning { rig in
            try await rig.until("watching") { _ in rig.engine.context.status.current.journalWatched }
            // What is appended later says nothing of when the line was made that was there.
            try rig.append(isBacklog ? Self.line("create", 2, #","fields":{"title":"New"}"#) : update)
            let tried = try await rig.engine.approve(hold: 1, dryRun: true)
            #expect(tried.records.map(\.what) == [isBacklog ? "created" : "changed"])
            _ = try await rig.engine.approve(hold: 1, dryRun: false)
            try await rig.until("read") { status in
                status.journal.lines == (isBacklog ? 2 : 1) && !status.holds.contains { $0.kind == "clockWrong" }
            }
            let title = try await rig.store.read { try $0.record(EngineUnderTest.key(1)).state.view?.fields["title"] }
            #expect(title == (isBacklog ? "F1" : "Mine"))
        }
    }

    @Test func `what reading the journal leads to is said where that is another hold, or the quarantine`() async throws
    {
        let rig = try EngineUnderTest()
        for number: UInt64 in 1...12 { try await rig.show(number, ["title": "F"], rig.stamp(of: 7)) }
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            _ = try transaction.raise(Hold(.journalRewritten, .journal, reason: "a reason", since: context.wall))
        }
        for number: UInt64 in 1...8 { try rig.append(Self.line("delete", number)) }
        try rig.append(Self.line("create", 13, #","fields":{"title":"Later"},"at":"2099-01-01T00:00:00Z""#))
        try rig.append(Self.line("update", 14, #","fields":{"year":1}"#))
        try rig.append(#"{"op":"fly"}"#)
        try rig.append(Self.line("create", 15, #","fields":{"title":"Now"}"#))
        try rig.append(Self.line("update", 15, #","fields":{"title":5}"#))
        try rig.append(Self.line("update", 15, #","fields":{"title":"Later"},"at":"2099-01-01T00:00:00Z""#))
        let deleted = [String](repeating: "kept in another hold (massDelete)", count: 8)
        let words =
            deleted + [
                "kept in another hold (futureEdit)", "put into quarantine (unknownRecord)",
                "created, and a line of it is kept in another hold (futureEdit), another one put into quarantine "
                    + "(invalidValue)",
            ]
        let hold = try #require(try await rig.engine.holds().first)
        #expect(hold.count == 11 && hold.records?.map(\.what.approve) == words.map { "it is \($0)" })
        let tried = try await rig.engine.approve(hold: hold.id, dryRun: true)
        #expect(tried.count == 11 && tried.deletes == 0 && tried.records.map(\.what) == words)
        #expect(tried.effect.hasSuffix("; a line that nobody can read goes to quarantine"))
    }

    @Test func `no more than a hundred records are listed, and all are counted`() async throws {
        let rig = try await rig(.emptyRemote, .pull, films: 130, held: 130)
        let hold = try #require(try await rig.engine.holds().first)
        #expect(hold.count == 130 && hold.records?.count == 100)
        let tried = try await rig.engine.approve(hold: hold.id, dryRun: true)
        #expect(tried.count == 130 && tried.deletes == 130 && tried.records.count == 100)
    }

    @Test func `a decision that is only tried keeps nobody from writing`() async throws {
        let rig = try await rig(.massDelete, .pull)
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let written = DispatchSemaphore(value: 0)
        let wasWritten = Mutex(false)
        rig.clock.whenAskedNext {
            begins.finish()
            wasWritten.withLock { $0 = written.wait(timeout: .now() + 20) == .success }
        }
        async let tried = rig.engine.approve(hold: 1, dryRun: true)
        for await _ in begun {}
        _ = try await rig.store.write { try $0.setValue("while it is tried", [1]) }
        written.signal()
        #expect(try await tried.deletes == 2)
        #expect(wasWritten.withLock { $0 })
    }

    @Test(arguments: HoldKind.allCases, [true, false])
    func `a decision of any kind that is only tried changes nothing`(_ kind: HoldKind, approved: Bool) async throws {
        let direction: Direction = [.futureEdit, .journalRewritten, .clockWrong].contains(kind) ? .journal : .pull
        let rig = try await rig(kind, direction) { number -> String? in
            if kind == .massForeignChange { return #"{"hasWatched":true,"title":"App"}"# }
            let fields = #","fields":{"title":"Later"},"at":"2099-01-01T00:00:00Z""#
            return kind == .futureEdit ? Self.line("update", number, fields) : nil
        }
        func all() async throws -> [String] {
            try await rig.store.read { transaction in
                var facts: [String] = []
                for number: UInt64 in 1...3 { facts.append("\(try transaction.record(EngineUnderTest.key(number)))") }
                facts.append("\(try transaction.holds())")
                facts.append("\(try transaction.heldKeys(by: 1))")
                facts.append("\(try transaction.changes(after: 0, limit: 100))")
                facts.append("\(transaction.clock)")
                return facts
            }
        }
        let before = try await all()
        let hold = try #require(try await rig.engine.holds().first)
        for record in hold.records ?? [] {
            #expect(!record.what.approve.isEmpty && !record.what.reject.isEmpty)
            #expect(record.what.approve != record.what.reject)
        }
        func decide(dryRun: Bool) async throws -> DecisionReply {
            approved
                ? try await rig.engine.approve(hold: hold.id, dryRun: dryRun)
                : try await rig.engine.reject(hold: hold.id, dryRun: dryRun)
        }
        let tried = try await decide(dryRun: true)
        #expect(!tried.done && tried.dryRun && tried.count == 2)
        #expect(tried.effect == (approved ? hold.approve : hold.reject))
        #expect(try await all() == before)
        let done = try await decide(dryRun: false)
        #expect(done.done && done.records == tried.records && done.deletes == tried.deletes)
        #expect(try await rig.engine.holds().isEmpty)
        await #expect(throws: ControlError.unknownHold(hold.id)) { _ = try await decide(dryRun: true) }
    }

    @Test func `what was tried names the fields that change`() async throws {
        let rig = try await rig(.futureEdit, .journal, held: 1) {
            Self.line("update", $0, #","fields":{"title":"Later","year":1979}"#)
        }
        let tried = try await rig.engine.approve(hold: 1, dryRun: true)
        let record = try #require(tried.records.first)
        #expect(record.what == "changed" && record.before == ["title": "F1"])
        #expect(record.after == ["title": "Later", "year": 1979])
        let deletes = try await self.rig(.massDelete, .journal) { Self.line("delete", $0) }
        let tries = try await deletes.engine.approve(hold: 1, dryRun: true)
        #expect(tries.deletes == 2 && tries.records.allSatisfy { $0.what == "deleted" && $0.after.isEmpty })
        let kept = try await deletes.engine.reject(hold: 1, dryRun: true)
        #expect(kept.deletes == 0 && kept.records.allSatisfy { $0.what == "kept" })
    }

    @Test func `of what the remote shows no more nobody says that it is there`() async throws {
        let rig = try await rig(.emptyRemote, .pull)
        let held = try await rig.engine.why(EngineUnderTest.id(1), in: "movies")
        #expect(held.record.base?.isOutdated == true && !held.fields.isEmpty)
        #expect(held.fields.allSatisfy { $0.onRemote == nil })
        #expect(held.record.reason == "what the remote shows of it is held (emptyRemote, hold 1): a reason")
        let other = try await rig.engine.why(EngineUnderTest.id(3), in: "movies")
        #expect(other.record.base != nil && other.record.base?.isOutdated == nil && other.record.reason == nil)
        #expect(other.fields.allSatisfy { $0.onRemote == true })
    }
}
