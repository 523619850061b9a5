import ControlAPI
import JSONText
import LocalStore
import SyncCore
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

/// Comparing with the remote, and explaining a record.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct VerifyTests {
    /// A rig whose remote has five films as the base knows them.
    private func rig() async throws -> EngineUnderTest {
        let rig = try EngineUnderTest()
        for number: UInt64 in [1, 2, 3, 5, 10] {
            let stamp = rig.stamp(of: 7)
            let fields: [String: JSONValue] = ["title": .string("F\(number)"), "hasWatched": false]
            try await rig.show(number, fields, stamp)
            let id = EngineUnderTest.id(number)
            try rig.put(id, fields.merging(["identifier": .string(id)]) { $1 }, stamp)
        }
        return rig
    }

    @Test func `equal sides are equal`() async throws {
        let rig = try await rig()
        try await rig.apply(.update, 1, ["title": "Waits to be pushed"])
        let reply = try await rig.engine.verify(repair: false)
        #expect(reply.differences == 0 && reply.collections.map(\.compared) == [5])
        #expect(reply.collections.map(\.pending) == [1])
        let last = try #require(rig.engine.status().collections["movies"]?.lastVerify)
        #expect(last.differences == 0 && last.at == reply.collections.first?.at)
        #expect(!rig.engine.health().reasons.contains { $0.contains("differed") })
    }

    @Test func `a daemon that never runs for a week compares once a week all the same`() async throws {
        let rig = try await rig()
        let weekAgo = rig.clock.wall - 7 * 86_400_000
        try await rig.engine.context.commit { try $0.setText("verify.since", String(weekAgo)) }
        try await rig.whileRunning { rig in
            try await rig.until("live") { $0.collections["movies"]?.pending == 0 && $0.convergedAt != nil }
            try await rig.letTimePass(60_000, until: "compared") {
                rig.engine.status().collections["movies"]?.lastVerify != nil
            }
        }
    }

    @Test func `while one comparison is under way another one is told so`() async throws {
        let rig = try await rig()
        let second = Mutex<ControlError?>(nil)
        rig.remote.whenKeysAreAsked {
            let error = await #expect(throws: ControlError.self) { try await rig.engine.verify(repair: false) }
            second.withLock { $0 = error }
        }
        #expect(try await rig.engine.verify(repair: false).differences == 0)
        #expect(second.withLock { $0 } == .verifying)
        #expect(try await rig.engine.verify(repair: false).differences == 0)
    }

    @Test func `each kind of difference is found, and told in health`() async throws {
        let rig = try await rig()
        let (other, now) = (rig.stamp(of: 8), rig.stamp(of: 7))
        try rig.put(EngineUnderTest.id(1), nil)
        try rig.put(EngineUnderTest.id(2), ["title": "Other"], other)
        try rig.putArray(EngineUnderTest.id(3))
        try rig.put(EngineUnderTest.id(10).lowercased(), ["title": "Two"], now)
        try rig.put(EngineUnderTest.id(9), ["title": "New"], now)
        try rig.put("stray", [:])
        let reply = try #require(try await rig.engine.verify(repair: false).collections.first)
        #expect(
            reply.found == [
                "missingThere": 1, "differs": 1, "unreadable": 1, "secondKey": 1, "missingHere": 1, "strayKey": 1,
            ])
        #expect(reply.differences == 6 && reply.items.count == 6 && !reply.repaired)
        #expect(reply.items.contains { $0.key == EngineUnderTest.id(1) && $0.what == "missingThere" })
        #expect(rig.engine.health().reasons.contains { $0.contains("movies: 6 differed from the remote") })
        let repaired = try #require(try await rig.engine.verify(repair: true).collections.first)
        #expect(repaired.repaired && repaired.found == reply.found)
        #expect(!rig.engine.health().reasons.contains { $0.contains("differed") })
    }

    @Test func `a film that stood under a lower-case key is missed under that`() async throws {
        let rig = try await rig()
        let lower = EngineUnderTest.id(10).lowercased()
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var stored = try transaction.record(EngineUnderTest.key(10))
            stored.state.remoteKey = lower
            try transaction.store(stored, Outcome(), origin: .remote, context.applier.context(EngineUnderTest.movies))
        }
        try rig.put(EngineUnderTest.id(10), nil)
        let reply = try #require(try await rig.engine.verify(repair: false).collections.first)
        #expect(reply.found == ["missingThere": 1] && reply.items.map(\.key) == [lower])
    }

    @Test func `what a hold or a pause keeps is not told as read again`() async throws {
        let rig = try await rig()
        try rig.put(EngineUnderTest.id(1), nil)
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var hold = Hold(.emptyRemote, .pull, reason: "a reason", since: context.wall)
            hold.collection = EngineUnderTest.movies
            let number = try transaction.raise(hold)
            try transaction.attach(
                EngineUnderTest.key(1), to: number, context.applier.context(EngineUnderTest.movies))
        }
        let held = try #require(try await rig.engine.verify(repair: true).collections.first)
        #expect(held.holds == [1] && held.isPaused == nil)
        try await rig.engine.pause(.pull)
        let paused = try #require(try await rig.engine.verify(repair: true).collections.first)
        #expect(paused.holds == [1] && paused.isPaused == true)
        let asked = try #require(try await rig.engine.verify(repair: false).collections.first)
        #expect(asked.differences == 1 && asked.holds == nil && asked.isPaused == nil)
    }

    @Test func `second keys that can't be removed are told`() async throws {
        let rig = try await rig()
        let key = EngineUnderTest.id(10).lowercased()
        try rig.put(key, ["title": "Two"], rig.stamp(of: 7))
        let removed = try await rig.engine.verify(repair: true)
        #expect(removed.collections.first?.found == ["secondKey": 1] && !removed.isStuck)
        #expect(removed.collections.first?.isPushPaused == nil)
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            var item = QuarantinedItem(.pull, Defect(.unreadableRecord, "it can't be removed"), since: context.wall)
            (item.collection, item.record) = (EngineUnderTest.movies, key)
            try transaction.quarantine(item, context.applier.context(EngineUnderTest.movies))
        }
        try await rig.engine.pause(.push)
        let repaired = try await rig.engine.verify(repair: true)
        #expect(repaired.collections.first?.kept == 1 && repaired.isStuck)
        #expect(repaired.collections.first?.isPushPaused == true)
    }

    @Test func `each collection is compared by itself once a week`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            try node.put(EngineUnderTest.id(1), ["title": "New"], node.stamp(of: 7))
            try await node.until("the film") { $0.collections["movies"]?.records == 1 }
            node.clock.advance(6 * 86_400_000)
            let early = try await node.engine.sync(wait: .seconds(10))
            #expect(early.done && node.engine.status().collections["movies"]?.lastVerify == nil)
            try await node.until("a comparison") { status in
                node.clock.advance(3_600_000)
                return status.collections["movies"]?.lastVerify?.differences == 0
            }
        }
    }

    @Test func `pages are followed to the end`() async throws {
        let rig = try await rig()
        for number: UInt64 in 100..<1_300 {
            try rig.put(
                EngineUnderTest.id(number), ["title": "N"], rig.stamp(of: 7))
        }
        let reply = try #require(try await rig.engine.verify(repair: false).collections.first)
        #expect(reply.compared == 1_205 && reply.found == ["missingHere": 1_200] && reply.items.count == 100)
    }

    @Test func `one record is explained field by field`() async throws {
        let rig = try await rig()
        try await rig.apply(.update, 1, ["title": "Mine"])
        let why = try await rig.engine.why(EngineUnderTest.id(1), in: "movies")
        let title = try #require(why.fields.first { $0.name == "title" })
        #expect(title.who == "this node" && title.value == "Mine" && title.onRemote == false && title.remote == "F1")
        let watched = try #require(why.fields.first { $0.name == "hasWatched" })
        #expect(watched.onRemote == true && watched.who == nil)
        try await rig.show(2, ["title": "App", "hasWatched": false], nil)
        let app = try await rig.engine.why(EngineUnderTest.id(2), in: "movies").fields.first { $0.name == "title" }
        #expect(app?.who == "app" && app?.onRemote == true)
        // Stamped by a node since, and still the app's.
        try await rig.show(2, ["title": "App", "hasWatched": false], rig.stamp(of: 8))
        let stamped = try await rig.engine.why(EngineUnderTest.id(2), in: "movies").fields.first { $0.name == "title" }
        #expect(stamped?.who == "app" && stamped?.stamp?.hasSuffix("0000000000000008") == true)
        try await rig.show(2, ["title": "Eighth", "hasWatched": false], rig.stamp(of: 8))
        let eighth = try await rig.engine.why(EngineUnderTest.id(2), in: "movies").fields.first { $0.name == "title" }
        #expect(eighth?.who == "0000000000000008")
    }
}
