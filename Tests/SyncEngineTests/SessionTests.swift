import ControlAPI
import Foundation
import LocalStore
import Movies
import PluginKit
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// Movies whose keys are their titles, or made of other fields.
struct KeyedMovies: CollectionPlugin {
    var id: CollectionID { "movies" }
    var columns: [String] { ["title"] }
    var key = KeyTemplate([.init("title")])

    func validated(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] { fields }
    func normalized(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] { fields }
}

/// Another remote, or other collections, while the engine runs.
@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    private func session(
        _ test: EngineUnderTest, _ remote: FakeRemote, _ collections: [CollectionID] = ["movies"], place: String = "",
        plugin: any CollectionPlugin = Movies()
    ) throws -> RemoteSession {
        var settings = EngineSettings(
            journalPath: test.folder("journal.jsonl"), changesPath: test.folder("changes.jsonl"),
            collections: collections.map { ($0, .full, .fields) })
        settings.places = Dictionary(uniqueKeysWithValues: collections.map { ($0, place) })
        return RemoteSession(settings, remote, try PluginRegistry(collections: [plugin]))
    }

    private static let film = #"{"op":"create","id":"6F9619FF-8B86-4011-B42D-00C04FC964F1","fields":{"title":"F"}}"#

    @Test func `what is pending goes to the remote that comes`() async throws {
        try await EngineUnderTest().whileRunning { test in
            try await test.until("it runs") { $0.remote.stream == .live }
            try await test.engine.pause(.push)
            try test.append(Self.film)
            try await test.until("the film") { $0.pending == 1 }
            let next = FakeRemote()
            try await test.engine.change(to: try session(test, next))
            try await test.engine.resume(.push)
            try await test.until("it is sent") { $0.pending == 0 }
            #expect(try await next.keys(in: .records("movies")).count == 1)
            #expect(try await test.remote.keys(in: .records("movies")).isEmpty)
        }
    }

    @Test func `a request that is not answered is awaited by the engine's clock`() async throws {
        try await EngineUnderTest().whileRunning { test in
            try await test.until("it runs") { $0.remote.stream == .live }
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let (answer, _) = AsyncStream<Never>.makeStream()
            test.remote.whenWritten {
                begin.yield()
                for await _ in answer {}
            }
            try test.append(Self.film)
            for await _ in begun { break }
            let next = FakeRemote()
            let session = try session(test, next)
            let (clock, sleeps) = (test.clock, test.clock.bell.rings())
            let (before, others) = (clock.wall, clock.sleepers(for: 5_000))
            try await within(.seconds(20), "the change") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await test.engine.change(to: session) }
                    // Another one may have come: five seconds pass for each.
                    group.addTask {
                        for await _ in sleeps where clock.sleepers(for: 5_000) > others { clock.advance(5_000) }
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
            #expect(clock.wall >= before + 5_000)
            try await test.until("it is sent") { $0.pending == 0 }
            #expect(try await next.keys(in: .records("movies")).count == 1)
        }
    }

    @Test func `what is kept elsewhere is read from the beginning`() async throws {
        try await EngineUnderTest().whileRunning { test in
            try await test.until("it runs") { $0.remote.stream == .live }
            func cursor() async throws -> String? {
                try await test.store.read { try $0.text("cursor.records.movies") }
            }
            try await test.engine.change(to: try session(test, FakeRemote(), place: "here"))
            _ = try await test.store.write { try $0.setText("cursor.records.movies", "5") }
            try await test.engine.change(to: try session(test, FakeRemote(), place: "here"))
            #expect(try await cursor() == "5")
            try await test.engine.change(to: try session(test, FakeRemote(), place: "there"))
            #expect(try await cursor() == "")
        }
    }

    @Test func `of a collection that goes the numbers are told, and no line gets in`() async throws {
        try await EngineUnderTest().whileRunning { test in
            try test.append(Self.film)
            try await test.until("the film") { $0.collections["movies"]?.records == 1 && $0.pending == 0 }
            try await test.engine.change(to: try session(test, FakeRemote(), []))
            #expect(test.engine.status().collections.isEmpty)
            #expect(test.engine.status().disabled == ["movies": .init(records: 1, pending: 0)])
            // A person may decide about what waits of it.
            try await test.engine.context.commit { transaction in
                let film = try #require(try transaction.page(of: "movies", after: nil, limit: 1).first)
                try transaction.save(film, pending: .yes, now: 1)
            }
            #expect(test.engine.status().disabled == ["movies": .init(records: 1, pending: 1)])
            try test.append(Self.film.replacing("\"F\"", with: "\"G\""))
            try await test.until("the line waits") { $0.journal.quarantined == 1 }
            try await test.engine.change(to: try session(test, FakeRemote()))
            await test.engine.lookAgainAfterReload()
            #expect(test.engine.status().journal.quarantined == 0)
            #expect(test.engine.status().collections["movies"]?.records == 1)
        }
    }

    @Test func `what waits for its time ends also where the remote that comes says only later what time it is`()
        async throws
    {
        try await EngineUnderTest().whileRunning { test in
            test.remote.setClock(ahead: 0)
            try await test.until("it runs") { $0.remote.stream == .live }
            let at = RFC3339.text(test.clock.wall + 86_400_000)
            try test.append(Self.film.replacing("}}", with: #"},"at":"\#(at)"}"#))
            try await test.until("a hold") { $0.holds.map(\.kind) == ["futureEdit"] }
            let next = FakeRemote()
            try await test.engine.change(to: try session(test, next))
            try await test.until("its stream") { $0.remote.stream == .live }
            test.clock.advance(2 * 86_400_000)
            next.setClock(ahead: 0)
            try test.append(Self.film.replacing("64F1", with: "64F2"))
            try await test.until("both films") { $0.collections["movies"]?.records == 2 && $0.holds.isEmpty }
        }
    }

    @Test func `keys that would be made of something else than those of the records are refused, and all goes on`()
        async throws
    {
        try await EngineUnderTest().whileRunning { test in
            try test.append(Self.film)
            try await test.until("the film") { $0.collections["movies"]?.records == 1 && $0.pending == 0 }
            let next = try session(test, FakeRemote(), plugin: KeyedMovies())
            await #expect(throws: OtherKey.self) { try await test.engine.change(to: next) }
            try test.append(Self.film.replacing("64F1", with: "64F2"))
            try await test.until("another film") { $0.collections["movies"]?.records == 2 && $0.pending == 0 }
            #expect(try await test.remote.keys(in: .records("movies")).count == 2)
        }
    }

    @Test func `where the engine has ended nobody waits for another session`() async throws {
        let test = try EngineUnderTest()
        try await test.whileRunning { test in try await test.until("it runs") { $0.state == .running } }
        try await test.engine.change(to: try session(test, FakeRemote()))
    }

    @Test func `whoever closes the gate waits for those within, and they for it`() async {
        let gate = CommitGate()
        await gate.enter()
        let closing = Task { await gate.close() }
        gate.leave()
        await closing.value
        let entering = Task { await gate.enter() }
        gate.open()
        await entering.value
        gate.leave()
        await gate.close()
        gate.open()
    }
}
