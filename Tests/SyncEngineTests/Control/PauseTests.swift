import ControlAPI
import JSONText
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

@Suite(.inTurn, .timeLimit(.minutes(1))) struct PauseTests {
    @Test func `pauses that are asked for at once all hold`() async throws {
        let rig = try EngineUnderTest()
        for _ in 0..<20 {
            try await rig.engine.resume(nil)
            try await withThrowingTaskGroup { group in
                for direction in [Direction.push, .pull] {
                    group.addTask { try await rig.engine.pause(direction) }
                }
                try await group.waitForAll()
            }
            #expect(rig.engine.context.status.current.paused == [.push, .pull])
            #expect(try await rig.store.read { try $0.paused() } == [.push, .pull])
        }
    }

    @Test func `waiting for an edit ends at once while what would push it is paused`() async throws {
        let rig = try EngineUnderTest()
        try await rig.engine.pause(.push)
        try await rig.apply(.create, 1, ["title": "A"])
        try await rig.engine.context.commit { transaction in
            _ = try transaction.registerOperations([OperationMark("op")], now: 1)
        }
        let reply = try await rig.engine.edit(
            "op", of: EngineUnderTest.id(1), in: "movies", timeout: .seconds(600), onlyRead: false)
        #expect(reply.state == .pending && reply.reason == "push is paused")
    }

    @Test func `what was read of a collection that is not enabled any more is told`() async throws {
        let rig = try EngineUnderTest()
        let key = RecordKey("artists", EngineUnderTest.key(1).id)
        try await rig.engine.context.commit { transaction in
            var stored = try transaction.record(key)
            stored.state.known.fields = StampedContent(
                Content(fields: ["name": "A"]), FieldStamps(transaction.clock.now(wall: 1)))
            try transaction.save(stored, pending: .yes, now: 1)
            _ = try transaction.registerOperations([OperationMark("read")], now: 1)
        }
        func fate(_ opID: String) async throws -> EditReply {
            try await rig.engine.edit(
                opID, of: EngineUnderTest.id(1), in: "artists", timeout: .seconds(600), onlyRead: false)
        }
        let reply = try await fate("read")
        #expect(reply.state == .pending && reply.reason == "artists is not enabled: it goes nowhere before that")
        await #expect(throws: ControlError.unknownCollection("artists")) { _ = try await fate("not read") }
    }

    @Test func `a resume before the state is loaded ends nothing but what it names`() async throws {
        let rig = try EngineUnderTest()
        _ = try await rig.store.write { try $0.setPaused([.push, .pull]) }
        try await rig.engine.resume(.push)
        #expect(rig.engine.context.status.current.paused == [.pull])
    }

    @Test func `what is counted while the state is loaded is counted once`() async throws {
        let rig = try EngineUnderTest()
        for number in UInt64(1)...200 { try await rig.apply(.create, number, ["title": "A"]) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await rig.engine.load() }
            for number in UInt64(201)...240 {
                group.addTask {
                    let create = Operation(.create, EngineUnderTest.key(number), fields: ["title": "B"])
                    _ = try await rig.engine.context.commit { [context = rig.engine.context] transaction in
                        try context.applier.apply(create, .decided, line: [], origin: .journal, in: transaction)
                    }
                }
            }
            try await group.waitForAll()
        }
        let facts = rig.engine.context.status.current
        let counts = try await rig.store.read { try $0.counts(of: EngineUnderTest.movies) }
        #expect(counts.records == 240 && facts.counts[EngineUnderTest.movies] == counts)
        #expect(facts.lastChange == 240)
    }

    @Test func `the status says when the state can be written again, also where nothing else is written`() async throws
    {
        let disk = HandDisk()
        let rig = try EngineUnderTest(synchronize: { try disk.synchronize() })
        try await rig.whileRunning { node in
            try await node.until("live") { $0.remote.stream == .live }
            node.engine.context.status.update { $0.storeError = "the disk was full" }
            node.engine.context.stateFailed.notify()
            try await node.until("written") { _ in node.engine.context.status.current.storeError == nil }
        }
    }
}
