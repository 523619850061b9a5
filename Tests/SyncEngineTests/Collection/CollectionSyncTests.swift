import ControlAPI
import GRDB
import PluginConformance
import PluginKit
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import LocalStore
@testable import SyncEngine

/// The shell of a collection's machine, with a real store, a remote in memory, and a clock driven by hand.
@Suite(.inTurn, .timeLimit(.minutes(2))) struct CollectionSyncTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
    private static let create =
        #"{"op":"create","id":"\#(id)","fields":{"title":"Alien","hasWatched":false}}"#
    private static let movies = Keyspace.records("movies")

    private static func title(_ node: EngineUnderTest) throws -> JSONValue? {
        guard case .record(let fields, _) = try node.remote.memory.read(id, in: movies).value else { return nil }
        return fields["title"]
    }

    private static func isEqual(_ status: StatusSnapshot) -> Bool {
        status.pending == 0 && status.remote.stream == .live && status.collections["movies"]?.records == 1
    }

    @Test func `a line of the journal goes to the remote, and is confirmed by the stream`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try node.append(Self.create)
            try await node.until("equal", Self.isEqual)
            #expect(try Self.title(node) == "Alien")
            #expect(try await node.engine.sync(wait: .seconds(10)).done)
        }
    }

    @Test func `a sync that is done names what is in quarantine`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            try node.putArray(Self.id)
            try await node.until("set aside") { $0.collections["movies"]?.quarantined == 1 }
            let reply = try await node.engine.sync(wait: .seconds(10))
            #expect(reply.done && reply.pending == 0)
            #expect(reply.reasons == ["1 of movies is in quarantine, and may differ: see moviesync quarantine"])
        }
    }

    @Test func `nothing is equal to a remote that does not answer`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try node.append(Self.create)
            #expect(try await node.engine.sync(wait: .seconds(10)).done)
            node.remote.whenRead {
                // Until nobody waits any more.
                let (never, hold) = AsyncStream<Void>.makeStream()
                for await _ in never {}
                hold.finish()
            }
            let reply = try await node.engine.sync(wait: .nanoseconds(1))
            #expect(!reply.done && reply.pending == 0 && reply.reasons == ["the remote does not answer"])
            #expect(
                await node.engine.checks(within: .nanoseconds(1)).map(\.message)
                    == ["not checked: the remote does not answer"])
            let silence = ControlError(502, "remoteFailed", "the nodes can't be read: the remote does not answer")
            await #expect(throws: silence) {
                try await node.engine.nodes(within: .nanoseconds(1))
            }
            node.remote.whenRead {}
            node.remote.failNext(RemoteError(.unreachable, "nobody is there"))
            let failed = try await node.engine.sync(wait: .nanoseconds(1))
            #expect(!failed.done && failed.reasons == ["the remote can't be read: nobody is there"])
            node.remote.failNext(RemoteError(.denied, "not that one"))
            #expect(try await node.engine.sync(wait: .nanoseconds(1)).done)
            // Who does not wait is told how it stands.
            node.remote.failNext(RemoteError(.unreachable, "nobody is there"))
            #expect(try await node.engine.sync(wait: nil).done)
        }
    }

    @Test func `a sync names a collection once, however many of its streams are down`() async throws {
        let node = try EngineUnderTest()
        node.engine.context.status.update { facts in
            facts.streams = [.records("movies"): .down, .tombstones("movies"): .down]
        }
        let reply = try await node.engine.sync(wait: nil)
        #expect(!reply.done)
        #expect(reply.reasons.filter { $0.contains("stream") } == ["the stream of movies is down"])
    }

    @Test func `nothing goes to the remote before the disk has it here`() async throws {
        let disk = HandDisk()
        try await EngineUnderTest(synchronize: { try disk.synchronize() }).whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            let (asked, requests) = (disk.asked, node.remote.requests)
            disk.set(.keepsWaiting)
            try node.append(Self.create)
            try await until("the disk is asked", within: .seconds(20), hearing: [disk.bell]) {
                disk.asked > asked ? () : nil
            }
            // The collection has heard of the edit, and gets its turn.
            for _ in 0..<1000 { await Task.yield() }
            #expect(node.remote.requests == requests)
            disk.free()
            try await node.until("equal", Self.isEqual)
            #expect(node.remote.requests > requests)
        }
    }

    @Test func `an edit waits from its commit on, whoever is told of it first`() async throws {
        let node = try EngineUnderTest()
        let context = node.engine.context
        let movies = EngineUnderTest.movies
        let done = try await context.commitAhead(isShort: true) { transaction in
            let create = Operation(.create, EngineUnderTest.key(1), fields: ["title": "Alien"])
            try context.applier.apply(create, .decided, line: [], origin: .journal, in: transaction)
        }
        // Its collection can have failed to push it by now.
        #expect(context.status.current.counts[movies]?.pending == 1)
        #expect(context.status.current.lastChange == 0)
        try await context.publish(done)
        #expect(context.status.current.counts[movies]?.pending == 1)
        #expect(context.status.current.lastChange == 1)
    }

    @Test func `what failed is tried again when its time has come, and not before`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            node.remote.failNext(RemoteError(.unavailable, "busy"))
            try node.append(Self.create)
            try await node.until("the failure") { $0.remote.lastError?.contains("busy") == true }
            let asked = node.remote.requests
            // Whatever else happens meanwhile asks for nothing.
            try node.append(#"{"op":"update","id":"\#(Self.id)","fields":{"title":"Aliens"}}"#)
            try await node.until("the second line") { $0.journal.lines == 2 }
            #expect(node.remote.requests == asked)
            #expect(try Self.title(node) == nil)
            node.clock.advance(600)
            try await node.until("equal", Self.isEqual)
            #expect(try Self.title(node) == "Aliens")
        }
    }

    @Test func `a sync asked for ends the wait`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            node.remote.failNext(RemoteError(.unreachable, "nobody there"))
            try node.append(Self.create)
            try await node.until("the failure") { $0.remote.lastError?.contains("nobody") == true }
            #expect(try await node.engine.sync(wait: .seconds(10)).done)
            #expect(try Self.title(node) == "Alien")
        }
    }

    @Test func `a pause closes the streams, and a resume opens new ones`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            let opened = node.remote.listens
            try await node.engine.pause(nil)
            try await node.until("down") { $0.remote.stream == .down }
            try node.append(Self.create)
            try await node.until("the line") { $0.pending == 1 }
            #expect(node.remote.requests == 0 && node.remote.listens == opened)
            try await node.engine.resume(nil)
            try await node.until("equal", Self.isEqual)
            #expect(node.remote.listens == 2 * opened)
        }
    }

    @Test func `what an app writes arrives, and is stamped`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try node.append(Self.create)
            try await node.until("equal", Self.isEqual)
            try node.remote.memory.plant(
                ["identifier": .string(Self.id), "title": "Aliens", "hasWatched": true], at: [Self.id],
                in: Self.movies)
            // One change of the create, one of the app.
            try await node.until("the app's edit") { $0.lastChange == 2 }
            #expect(try await node.engine.sync(wait: .seconds(10)).done)
            let record = try await node.engine.record(Self.id, in: "movies")
            #expect(record.fields["title"] == "Aliens" && record.fields["hasWatched"] == true)
            guard case .record(_, let stamps?) = try node.remote.memory.read(Self.id, in: Self.movies).value else {
                Issue.record("the app's write was not stamped")
                return
            }
            #expect(stamps.version.description == record.stamp)
        }
    }

    /// Lets no record be changed in the state, or lets it again.
    private static func setReadOnly(_ isReadOnly: Bool, _ store: LocalStore) async throws {
        try await store.database.write { db in
            try db.execute(
                sql: isReadOnly
                    ? "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'full'); END"
                    : "DROP TRIGGER full")
        }
    }

    @Test func `what was in flight when a machine failed counts as attempted`() async throws {
        try await EngineUnderTest().whileRunning { node in
            try node.append(Self.create)
            try await node.until("equal", Self.isEqual)
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let (answer, _) = AsyncStream<Never>.makeStream()
            node.remote.whenWritten {
                begin.yield()
                for await _ in answer {}
            }
            try node.append(#"{"op":"create","id":"\#(EngineUnderTest.id(2))","fields":{"title":"New"}}"#)
            for await _ in begun { break }
            try await Self.setReadOnly(true, node.store)
            try node.put(Self.id, ["title": "Aliens"], node.stamp(of: 7))
            try await node.until("the failure") { _ in node.engine.collections.contains(where: \.isUnsure) }
            // Nobody listens now: nothing is known to be equal, whatever else may be committed.
            let movies = CollectionID.default
            #expect(node.engine.context.status.current.streams[.records(movies)] == .connecting)
            try await node.engine.pause(.push)
            try await Self.setReadOnly(false, node.store)
            try await node.until("it goes on") { _ in node.engine.collections.contains(where: \.mayPush) }
            let new = try await node.store.read { try $0.record(EngineUnderTest.key(2)) }
            #expect(new.pending == .yes && new.state.remote == nil && new.state.newInRun == nil)
        }
    }

    @Test func `a machine that can't go on begins anew with what was committed`() async throws {
        let node = try EngineUnderTest()
        try await node.whileRunning { node in
            try node.append(Self.create)
            try await node.until("equal", Self.isEqual)
        }
        try await node.store.read { transaction in
            let stored = try transaction.record(RecordKey("movies", try #require(RecordID(Self.id))))
            #expect(stored.pending == .no && stored.state.remote?.stamp == stored.state.stamp)
            #expect(try transaction.counts(of: "movies") == (try transaction.recount("movies")))
        }
    }
}
