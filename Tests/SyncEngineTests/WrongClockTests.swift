import ControlAPI
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

@Suite(.inTurn, .timeLimit(.minutes(1))) struct WrongClockTests {
    private static let hours: Int64 = 7_200_000

    @Test func `the server is asked for the time now and then, however many wait for the clock`() async throws {
        let rig = try EngineUnderTest()
        rig.remote.setClock(ahead: Self.hours)
        try await rig.whileRunning { rig in
            try rig.append(EngineUnderTest.create(1))
            try await rig.until("held") { $0.holds.contains { $0.kind == "clockWrong" } && $0.journal.size > 0 }
            let before = rig.remote.requests
            let elapsed = try await rig.letTimePass(1000, until: "asked") { rig.remote.requests >= before + 3 }
            // At 5, 15 and 35 s.
            #expect(rig.remote.requests == before + 3 && elapsed >= 34_000)
            rig.remote.setClock(ahead: 0)
            try await rig.letTimePass(60_000, until: "read") { rig.engine.status().journal.lines > 0 }
            #expect(rig.engine.status().holds.isEmpty)
        }
    }

    @Test func `an answer that shows the right time ends the hold at once`() async throws {
        let rig = try EngineUnderTest()
        rig.remote.setClock(ahead: Self.hours)
        try await rig.whileRunning { rig in
            try rig.append(EngineUnderTest.create(1))
            try await rig.until("held") { $0.holds.contains { $0.kind == "clockWrong" } && $0.journal.size > 0 }
            rig.remote.setClock(ahead: 0)
            // Whatever was answered, the status tells of it.
            rig.engine.context.status.update { $0.convergedAt = nil }
            try await rig.until("read") { $0.journal.lines == 1 && $0.holds.isEmpty }
        }
    }

    @Test func `a hold of before a start ends by an answer that is asked for, also while all is paused`() async throws {
        let rig = try EngineUnderTest(isRestart: true)
        let wrong = StampPolicy(wall: rig.clock.wall, offset: Self.hours, maxAhead: 60_000)
        try await rig.engine.context.commit { transaction in
            _ = try ClockWrong.check(wrong, serverIsKnown: true, in: transaction)
        }
        try await rig.engine.pause(nil)
        rig.remote.whenRead { [remote = rig.remote] in remote.setClock(ahead: 0) }
        try await rig.whileRunning { rig in
            try await rig.letTimePass(1000, until: "ended") { rig.engine.status().holds.isEmpty }
            #expect(rig.remote.requests == 1)
        }
    }

    @Test func `what is not read is told, and nobody says that both sides are equal`() async throws {
        let rig = try EngineUnderTest()
        rig.remote.setClock(ahead: Self.hours)
        try await rig.whileRunning { rig in
            try rig.append(EngineUnderTest.create(1))
            let first = UInt64(EngineUnderTest.create(1).utf8.count + 1)
            try await rig.until("held") { $0.holds.contains { $0.kind == "clockWrong" } && $0.journal.size == first }
            try rig.append(EngineUnderTest.create(2))
            let journal = rig.engine.status().journal
            #expect(journal.offset == 0 && journal.size == 2 * first)
            #expect(!rig.engine.context.status.current.isConverged)
        }
    }
}
