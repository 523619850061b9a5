import ControlAPI
import JSONText
import LocalStore
import PluginKit
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

@Suite(.inTurn, .timeLimit(.minutes(1))) struct QuarantineTests {
    /// Puts an item into quarantine, and gives its number.
    private func quarantine(_ item: QuarantinedItem, in rig: EngineUnderTest) async throws -> Int64 {
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            try transaction.quarantine(item, context.applier.context(EngineUnderTest.movies))
            return try transaction.quarantined(after: 0, limit: 10).last?.number ?? 0
        }
    }

    private func item(
        _ source: QuarantinedItem.Source, _ code: Defect.Code, _ number: UInt64? = nil, line: String? = nil
    ) -> QuarantinedItem {
        var item = QuarantinedItem(source, Defect(code, "a reason"), since: 3)
        item.collection = EngineUnderTest.movies
        item.record = number.map(EngineUnderTest.id)
        item.payload = line.map { Array($0.utf8) }
        return item
    }

    @Test func `an item of the journal is shown with its raw line`() async throws {
        let rig = try EngineUnderTest()
        var broken = item(.journal, .invalidJSON, line: "{\"op\":")
        (broken.file, broken.offset, broken.length) = ("/spool/journal.jsonl", 40, 7)
        let detail = try await rig.engine.quarantined(try await quarantine(broken, in: rig))
        #expect(detail.line == "{\"op\":" && detail.isWhole && detail.bytes == nil)
        #expect(detail.here == nil && detail.remote == nil && detail.item.offset == 40)
        var long = item(.journal, .lineTooLong, line: "{\"op\":")
        long.length = 2_000_000
        #expect(try await rig.engine.quarantined(try await quarantine(long, in: rig)).isWhole == false)
        var bytes = item(.journal, .invalidUTF8)
        bytes.payload = [0x22, 0xFF, 0x22]
        #expect(try await rig.engine.quarantined(try await quarantine(bytes, in: rig)).bytes == "Iv8i")
        await #expect(throws: ControlError.unknownQuarantined(99)) { _ = try await rig.engine.quarantined(99) }
    }

    @Test func `an item of the push is shown with both sides, and the line that makes it`() async throws {
        let rig = try EngineUnderTest()
        try await rig.show(1, ["title": "There"], rig.stamp(of: 7))
        try await rig.apply(.update, 1, ["title": "Here"])
        try rig.put(EngineUnderTest.id(1), ["title": "There"])
        var refused = item(.push, .refused, 1)
        refused.stamp = try await rig.store.read { try $0.record(EngineUnderTest.key(1)).state.version?.stamp }
        let detail = try await rig.engine.quarantined(try await quarantine(refused, in: rig))
        #expect(detail.here?.fields["title"] == "Here" && detail.remote?.fields == ["title": "There"])
        let line = try #require(detail.line)
        let operation = try Operation(line: Array(line.utf8)[...], keys: .uuids)
        #expect(operation.key == EngineUnderTest.key(1) && operation.fields["title"] == "Here")
    }

    @Test func `what the remote refused is pending, and named with its item`() async throws {
        let rig = try EngineUnderTest()
        try await rig.show(1, ["title": "There"], rig.stamp(of: 7))
        try await rig.apply(.update, 1, ["title": "Here"])
        _ = try await quarantine(item(.journal, .invalidJSON, line: "{"), in: rig)
        var refused = item(.push, .refused, 1)
        refused.stamp = try await rig.store.read { try $0.record(EngineUnderTest.key(1)).state.version?.stamp }
        let number = try await quarantine(refused, in: rig)
        let reply = try await rig.engine.sync(wait: nil)
        #expect(!reply.done && reply.pending == 1)
        let words = "1 movies are pending; item \(number) of the quarantine keeps them back"
        #expect(reply.reasons.contains("\(words): see moviesync quarantine show \(number)"))
    }

    @Test func `many items are decided together, and those that are gone are passed over`() async throws {
        let rig = try EngineUnderTest()
        var numbers: [Int64] = []
        for number: UInt64 in 1...3 {
            let line = #"{"op":"update","id":"\#(EngineUnderTest.id(number))","fields":{"hasWatched":true}}"#
            numbers.append(try await quarantine(item(.journal, .unknownRecord, number, line: line), in: rig))
        }
        numbers.append(try await quarantine(item(.pull, .unreadableRecord, 4), in: rig))
        try await rig.engine.retryQuarantined(numbers + [99])
        #expect(try await rig.engine.quarantine(after: nil, limit: 10).items.map(\.attempts) == [2, 2, 2, 1])
        try await rig.engine.dropQuarantined(numbers.dropLast() + [99])
        #expect(try await rig.engine.quarantine(after: nil, limit: 10).items.map(\.id) == numbers.suffix(1))
    }

    @Test func `of a tombstone what stands in its place is shown, not its record`() async throws {
        let rig = try EngineUnderTest()
        try rig.put(EngineUnderTest.id(1), ["title": "There"])
        var tombstone = item(.pull, .unreadableRecord, 1)
        tombstone.isTombstone = true
        let detail = try await rig.engine.quarantined(try await quarantine(tombstone, in: rig))
        #expect(detail.remote == .init(fields: nil, reason: "the remote has nothing there"))
    }

    @Test func `a key of no record stays in quarantine while nobody says that it is gone`() async throws {
        let rig = try EngineUnderTest()
        var stray = item(.pull, .unreadableRecord)
        stray.record = "stray"
        let number = try await quarantine(stray, in: rig)
        rig.remote.hideETags()
        let error = await #expect(throws: ControlError.self) { try await rig.engine.retryQuarantined(number) }
        #expect(error?.message.contains("has no ETag") == true)
        #expect(try await rig.engine.quarantine(after: nil, limit: 10).items.count == 1)
    }

    @Test(arguments: [false, true])
    func `a line that waited for its collection is an edit of now only where a person wants it`(
        isWanted: Bool
    ) async throws {
        let rig = try EngineUnderTest()
        try await rig.show(1, ["title": "Later"], rig.stamp(of: 7))
        let line = #"{"op":"update","id":"\#(EngineUnderTest.id(1))","fields":{"title":"Older"}}"#
        var waiting = item(.journal, .unknownCollection, 1, line: line)
        waiting.madeAt = 1
        let number = try await quarantine(waiting, in: rig)
        if isWanted {
            try await rig.engine.retryQuarantined(number)
        } else {
            try await rig.engine.retryQuarantine()
        }
        #expect(try await rig.fields(1)?["title"] == (isWanted ? "Older" : "Later"))
        #expect(try await rig.engine.quarantine(after: nil, limit: 10).items.isEmpty)
    }

    @Test func `an item of the pull says why nothing can be read`() async throws {
        let rig = try EngineUnderTest()
        try rig.putArray(EngineUnderTest.id(1))
        let detail = try await rig.engine.quarantined(try await quarantine(item(.pull, .unreadableRecord, 1), in: rig))
        #expect(detail.line == nil && detail.remote?.fields == nil && detail.remote?.reason == "an array is no record")
    }

    @Test func `what came from journal and push is tried again by itself, and attempts are counted`() async throws {
        let rig = try EngineUnderTest()
        try await rig.apply(.create, 1, ["title": "Here"])
        var refused = item(.push, .refused, 1)
        refused.stamp = try await rig.store.read { try $0.record(EngineUnderTest.key(1)).state.version?.stamp }
        _ = try await quarantine(refused, in: rig)
        let line = #"{"op":"update","id":"\#(EngineUnderTest.id(2))","fields":{"hasWatched":true}}"#
        let waiting = try await quarantine(item(.journal, .unknownRecord, 2, line: line), in: rig)
        let unreadable = try await quarantine(item(.pull, .unreadableRecord, 3), in: rig)
        for attempt in 2...4 {
            try await rig.engine.retryQuarantine()
            let items = try await rig.engine.quarantine(after: nil, limit: 10).items
            #expect(items.map(\.id) == [waiting, unreadable] && items.map(\.attempts) == [attempt, 1])
            #expect(try await rig.store.read { try $0.record(EngineUnderTest.key(1)).pending } == .yes)
            let back = try await rig.engine.quarantined(try await quarantine(refused, in: rig))
            #expect(back.item.attempts == attempt && back.item.since == Moment(milliseconds: 3))
            #expect(try await rig.store.read { try $0.record(EngineUnderTest.key(1)).pending } == .blocked)
        }
        try await rig.apply(.create, 2, ["title": "First"])
        try await rig.engine.retryQuarantine()
        #expect(try await rig.engine.quarantine(after: nil, limit: 10).items.map(\.id) == [unreadable])
        #expect(try await rig.fields(2)?["hasWatched"] == true)
    }

    @Test func `what was refused is tried again by itself, ever more rarely`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            node.remote.failNext(RemoteError(.refused, "no"))
            let line = #"{"op":"create","id":"\#(EngineUnderTest.id(1))","fields":{"title":"Here"}}"#
            try node.append(line)
            try await node.until("in quarantine") { $0.collections["movies"]?.quarantined == 1 }
            node.remote.failNext(RemoteError(.refused, "no"))
            let asked = node.remote.requests
            let began = node.clock.wall
            try await node.until("another attempt") { _ in
                if node.remote.requests == asked { node.clock.advance(60_000) }
                return node.remote.requests > asked
            }
            #expect(node.clock.wall >= began + 600_000)
            try await node.until("in quarantine again") { $0.collections["movies"]?.quarantined == 1 }
            #expect(try await node.engine.quarantine(after: nil, limit: 10).items.map(\.attempts) == [2])
            try await node.until("taken") { status in
                node.clock.advance(60_000)
                return status.pending == 0 && status.collections["movies"]?.quarantined == 0
            }
            #expect(node.clock.wall >= began + 1_200_000)
        }
    }

    @Test func `what could not be read is read again by itself`() async throws {
        let rig = try EngineUnderTest()
        // Of another node, so that no event follows which would show it.
        try rig.put(EngineUnderTest.id(1), ["title": "There"], rig.stamp(of: 7))
        try await rig.whileRunning { node in
            try await node.until("read") { $0.collections["movies"]?.records == 1 && $0.remote.stream == .live }
            _ = try await quarantine(item(.pull, .unreadableRecord, 1), in: node)
            let began = node.clock.wall
            try await node.until("read again") { status in
                node.clock.advance(60_000)
                return status.collections["movies"]?.quarantined == 0
            }
            #expect(node.clock.wall >= began + 600_000)
        }
    }

    @Test func `attempts are those of one version`() async throws {
        let rig = try EngineUnderTest()
        try await rig.apply(.create, 1, ["title": "Here"])
        var refused = item(.push, .refused, 1)
        refused.stamp = try await rig.store.read { try $0.record(EngineUnderTest.key(1)).state.version?.stamp }
        _ = try await quarantine(refused, in: rig)
        try await rig.engine.retryQuarantine()
        try await rig.apply(.update, 1, ["title": "Another"])
        refused.stamp = try await rig.store.read { try $0.record(EngineUnderTest.key(1)).state.version?.stamp }
        #expect(try await rig.engine.quarantined(try await quarantine(refused, in: rig)).item.attempts == 1)
    }

    @Test func `what can't be read under a film's lower-case key is named as what keeps its edit back`() async throws {
        let rig = try EngineUnderTest()
        let lower = EngineUnderTest.id(10).lowercased()
        try await rig.show(10, ["title": "There"], rig.stamp(of: 7))
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var stored = try transaction.record(EngineUnderTest.key(10))
            stored.state.remoteKey = lower
            try transaction.store(stored, Outcome(), origin: .remote, context.applier.context(EngineUnderTest.movies))
            _ = try transaction.registerOperations([OperationMark("a")], now: 1)
        }
        var unreadable = item(.pull, .unreadableRecord)
        unreadable.record = lower
        let number = try await quarantine(unreadable, in: rig)
        try await rig.apply(.update, 10, ["title": "Here"])
        let id = EngineUnderTest.id(10)
        let edit = try await rig.engine.edit("a", of: id, in: "movies", timeout: .zero, onlyRead: false)
        #expect(edit.state == .refused && edit.item == number && edit.reason == "unreadableRecord: a reason")
        let record = try await rig.engine.record(id, in: "movies")
        #expect(record.reason?.contains("item \(number)") == true)
        #expect(try await rig.engine.sync(wait: nil).reasons.contains { $0.contains("quarantine show \(number)") })
    }

    @Test func `an edit that was refused and dropped is not told as one that the remote has`() async throws {
        let rig = try EngineUnderTest()
        try await rig.show(1, ["title": "There"], rig.stamp(of: 7))
        for number: UInt64 in 1...2 {
            try await rig.apply(number == 1 ? .update : .create, number, ["title": "Here"])
            var refused = item(.push, .refused, number)
            refused.stamp = try await rig.store.read { try $0.record(EngineUnderTest.key(number)).state.version?.stamp }
            let quarantined = try await quarantine(refused, in: rig)
            try await rig.engine.context.commit { transaction in
                _ = try transaction.registerOperations([OperationMark("op\(number)")], now: 1)
            }
            try await rig.engine.dropQuarantined(quarantined)
        }
        func fate(_ number: UInt64) async throws -> EditReply {
            try await rig.engine.edit(
                "op\(number)", of: EngineUnderTest.id(number), in: "movies", timeout: .zero, onlyRead: false)
        }
        // What is left is what the remote has, and of the other nothing.
        let (changed, new) = (try await fate(1), try await fate(2))
        #expect(changed.state == .confirmed && changed.reason?.hasSuffix("was dropped here, conflict 1") == true)
        #expect(new.state == .dropped)
    }
}
