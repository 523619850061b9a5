import ControlAPI
import JSONText
import LocalStore
import PluginKit
import SyncCore
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

/// A check that refuses films without a year, and can be made to wait until its answer is given up.
private final class YearCheck: CheckService {
    let isSilent = Mutex(false)
    let isDown = Mutex(false)
    /// How many are answered before it is silent.
    let answers = Mutex(Int.max)
    let asked = Mutex(0)
    let bell = Bell()

    var mayBeAny: Bool { true }

    func checks(of collection: CollectionID) async -> [CheckRule] {
        [CheckRule(name: "year", whenDown: isDown.withLock { $0 } ? .wait : .refuse)]
    }

    func ask(_ check: String, about fields: [String: JSONValue], in collection: CollectionID) async -> CheckAnswer {
        if isDown.withLock({ $0 }) { return .down("it is starting") }
        let number = asked.withLock { asked in
            asked += 1
            return asked
        }
        bell.ring()
        if isSilent.withLock({ $0 }) || number > answers.withLock({ $0 }) {
            // As a call does that is given up.
            try? await sleepWhileTimeStands(.seconds(1))
            return .down("given up")
        }
        return fields["year"] == nil ? .refused("it has no year") : .fine
    }
}

/// A check that takes the title out of every film, between two that accept all.
private struct EmptyingCheck: CheckService {
    var mayBeAny: Bool { true }

    func checks(of collection: CollectionID) async -> [CheckRule] {
        ["first", "empty", "last"].map { CheckRule(name: $0, whenDown: .refuse) }
    }

    func ask(_ check: String, about fields: [String: JSONValue], in collection: CollectionID) async -> CheckAnswer {
        check == "empty" ? .completed(fields.filter { $0.key != "title" }) : .fine
    }
}

@Suite(.inTurn, .timeLimit(.minutes(1))) struct CheckedLinesTests {
    @Test(arguments: [Defect.Code.unknownCollection, .missingKey])
    func `a line that could not be read before is shown to its checks`(code: Defect.Code) async throws {
        let rig = try EngineUnderTest(checks: YearCheck())
        for (number, fields) in [#"{"title":"A"}"#, #"{"title":"B","year":1979}"#].enumerated() {
            var item = QuarantinedItem(.journal, Defect(code, "it could not be read then"), since: 3)
            item.collection = EngineUnderTest.movies
            item.record = EngineUnderTest.id(UInt64(number))
            item.payload = Array(
                #"{"op":"create","id":"\#(EngineUnderTest.id(UInt64(number)))","fields":\#(fields)}"#.utf8)
            let noted = item
            try await rig.engine.context.commit { [context = rig.engine.context] transaction in
                try transaction.quarantine(noted, context.applier.context(EngineUnderTest.movies))
            }
        }
        try await rig.engine.retryQuarantine()
        #expect(try await rig.store.read { try $0.counts(of: EngineUnderTest.movies).records } == 0)
        try await rig.engine.retryUnseen()
        let left = try await rig.store.read { try $0.quarantined(after: 0, limit: 9).map(\.defect.code) }
        #expect(left == [.refusedByCheck])
        #expect(try await rig.store.read { try $0.counts(of: EngineUnderTest.movies).records } == 1)
    }

    @Test func `lines of a record that no check is asked about follow those that it is asked about`() async throws {
        let check = YearCheck()
        let rig = try EngineUnderTest(checks: check)
        let create = #"{"op":"create","id":"ID","fields":{"title":"A","year":1979}}"#
        let update = #"{"op":"update","id":"ID","fields":{"title":"B"}}"#
        let delete = #"{"op":"delete","id":"ID"}"#
        for (number, line) in [(1, create), (1, update), (2, create), (2, delete), (3, update), (4, delete)] {
            let id = EngineUnderTest.id(UInt64(number))
            var item = QuarantinedItem(.journal, Defect(.unknownCollection, "it was not enabled"), since: 3)
            (item.collection, item.record) = (EngineUnderTest.movies, id)
            item.payload = Array(line.replacing("ID", with: id).utf8)
            let noted = item
            try await rig.engine.context.commit { [context = rig.engine.context] transaction in
                try transaction.quarantine(noted, context.applier.context(EngineUnderTest.movies))
            }
        }
        // While it can't be asked about a record's first line, the others of that record wait, too.
        check.isDown.withLock { $0 = true }
        try await rig.engine.retryQuarantine()
        try await rig.engine.retryUnseen()
        let waiting = try await rig.store.read { try $0.quarantined(after: 0, limit: 9).map(\.number) }
        #expect(waiting.count == 5)
        check.isDown.withLock { $0 = false }
        try await rig.engine.retryQuarantine()
        try await rig.engine.retryUnseen()
        let left = try await rig.store.read { try $0.quarantined(after: 0, limit: 9).map(\.defect.code) }
        #expect(left == [.unknownRecord])
        #expect(try await rig.store.read { try $0.counts(of: EngineUnderTest.movies).records } == 1)
        #expect(check.asked.withLock { $0 } == 3)
    }

    @Test func `what another session reads otherwise while a check is waited for is read anew, and then asked about`()
        async throws
    {
        let check = YearCheck()
        check.isDown.withLock { $0 = true }
        try await EngineUnderTest(checks: check).whileRunning { node in
            try node.append(
                #"{"op":"create","id":"\#(EngineUnderTest.id(1))","fields":{"title":"A","year":1979}}"#,
                #"{"op":"create","id":"B","fields":{"title":"B"}}"#, #"{"op":"create","fields":{"title":"C","year":1}}"#
            )
            try await node.until("a check is waited for") { $0.journal.waitsFor != nil }
            var settings = EngineSettings(
                journalPath: node.folder("journal.jsonl"), changesPath: node.folder("changes.jsonl"),
                collections: [("movies", .full, .fields)])
            settings.places = ["movies": ""]
            let session = RemoteSession(settings, FakeRemote(), try PluginRegistry(collections: [KeyedMovies()]))
            try await node.engine.change(to: session)
            check.isDown.withLock { $0 = false }
            try await node.until("the lines are read") { status in
                node.clock.advance(10_000)
                return status.journal.quarantined == 2 && status.collections["movies"]?.records == 1
            }
            let left = try await node.store.read { try $0.quarantined(after: 0, limit: 9).map(\.defect.code) }
            #expect(left == [.invalidValue, .refusedByCheck])
        }
    }

    @Test func `status tells how much more there is while a check is waited for`() async throws {
        let check = YearCheck()
        check.isDown.withLock { $0 = true }
        try await EngineUnderTest(checks: check).whileRunning { node in
            try node.append(
                #"{"op":"create","id":"\#(EngineUnderTest.id(1))","fields":{"title":"A","year":1979}}"#)
            try await node.until("a check is waited for") { $0.journal.waitsFor != nil }
            let size = node.engine.status().journal.size
            let more = #"{"op":"create","id":"\#(EngineUnderTest.id(2))","fields":{"title":"B"}}"#
            try node.append(more)
            #expect(node.engine.status().journal.size == size + UInt64(more.utf8.count) + 1)
        }
    }

    @Test func `a check is not asked again about what can't be applied`() async throws {
        let check = YearCheck()
        let rig = try EngineUnderTest(checks: check)
        try rig.append(
            #"{"op":"create","id":"\#(EngineUnderTest.id(1))","fields":{"title":"A","year":1979}}"#,
            #"{"op":"update","id":"\#(EngineUnderTest.id(1))","fields":{"year":"soon"}}"#)
        try await rig.whileRunning { node in
            try await node.until("one is refused") { $0.journal.quarantined == 1 }
        }
        let asked = check.asked.withLock { $0 }
        for _ in 0..<3 {
            try await rig.engine.retryQuarantine()
            try await rig.engine.retryUnseen()
        }
        #expect(check.asked.withLock { $0 } == asked)
        let left = try await rig.store.read { try $0.quarantined(after: 0, limit: 9).map(\.defect.code) }
        #expect(left == [.invalidValue])
    }

    @Test func `what the collection would refuse is refused in the name of the check that wants it`() async throws {
        let rig = try EngineUnderTest(checks: EmptyingCheck())
        try rig.append(#"{"op":"create","id":"\#(EngineUnderTest.id(1))","fields":{"title":"A"}}"#)
        try await rig.whileRunning { node in
            try await node.until("the line is refused") { $0.journal.quarantined == 1 }
        }
        try await rig.engine.retryQuarantine()
        try await rig.engine.retryUnseen()
        let left = try await rig.store.read { try $0.quarantined(after: 0, limit: 9).map(\.defect) }
        #expect(left.map(\.code) == [.refusedByCheck])
        #expect(left.first?.message.hasPrefix("the check empty wants what can't be stored: ") == true)
        #expect(try await rig.store.read { try $0.counts(of: EngineUnderTest.movies).records } == 0)
    }

    @Test func `what a check has passed is not kept from its readers by what it is asked about next`() async throws {
        let check = YearCheck()
        check.answers.withLock { $0 = 20 }
        let rig = try EngineUnderTest(checks: check)
        for number: UInt64 in 1...40 {
            try rig.append(
                #"{"op":"create","id":"\#(EngineUnderTest.id(number))","fields":{"title":"A","year":1979}}"#)
        }
        try await rig.whileRunning { node in
            try await node.until("the first ones") { $0.collections["movies"]?.records == 16 }
        }
    }

    @Test func `a stop while a check is asked decides nothing about the line`() async throws {
        let check = YearCheck()
        check.isSilent.withLock { $0 = true }
        let rig = try EngineUnderTest(checks: check)
        try rig.append(#"{"op":"create","id":"\#(EngineUnderTest.id(1))","fields":{"title":"A","year":1979}}"#)
        try await rig.whileRunning { node in
            try await until("the check is asked", within: .seconds(20), hearing: [check.bell]) {
                check.asked.withLock { $0 > 0 ? () : nil }
            }
            try await node.until("the line is known, and not read") { $0.journal.offset < $0.journal.size }
        }
        #expect(try await rig.store.read { try $0.quarantined(after: 0, limit: 9).count } == 0)
        check.isSilent.withLock { $0 = false }
        try await rig.whileRunning { node in
            try await node.until("the film") { $0.collections["movies"]?.records == 1 }
        }
    }
}
