import ControlAPI
import PluginKit
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncEngine

/// Lines that were appended while nothing ran.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct BacklogTests {
    /// Accepts all, and notes how many streams were opened by then.
    private final class ListeningCheck: CheckService {
        let remote = Mutex<FakeRemote?>(nil)
        let listens = Mutex<[Int]>([])

        var mayBeAny: Bool { true }

        func checks(of collection: CollectionID) async -> [CheckRule] { [CheckRule(name: "all", whenDown: .wait)] }

        func ask(_ check: String, about fields: [String: JSONValue], in collection: CollectionID) async -> CheckAnswer {
            // Whoever does not wait for the lines has his turn.
            for _ in 0..<10_000 { await Task.yield() }
            listens.withLock { $0.append(remote.withLock { $0?.listens ?? -1 }) }
            return .fine
        }
    }

    @Test(arguments: [false, true])
    func `nothing is learned from the remote before they are applied`(isRestart: Bool) async throws {
        let check = ListeningCheck()
        let rig = try EngineUnderTest(checks: check, isRestart: isRestart)
        check.remote.withLock { $0 = rig.remote }
        try rig.append(EngineUnderTest.create(1))
        try await rig.whileRunning { rig in
            try await rig.until("live") { $0.remote.stream == .live && $0.journal.lines == 1 }
        }
        #expect(check.listens.withLock { $0 } == [0])
    }

    @Test func `they wait until the server has told the time, and are asked about where it is another`() async throws {
        let rig = try EngineUnderTest(isRestart: true)
        rig.remote.whenRead { [remote = rig.remote] in remote.setClock(ahead: 7_200_000) }
        try rig.append(EngineUnderTest.create(1))
        try await rig.whileRunning { rig in
            try await rig.until("held") { $0.holds.contains { $0.kind == "clockWrong" } && $0.journal.size > 0 }
            #expect(rig.engine.status().journal.lines == 0)
        }
    }

    @Test func `a remote that has no answer keeps none of them waiting`() async throws {
        let rig = try EngineUnderTest(isRestart: true)
        rig.remote.whenRead { try? await sleepWhileTimeStands(.seconds(60)) }
        try rig.append(EngineUnderTest.create(1))
        try await rig.whileRunning { rig in
            try await rig.letTimePass(1000, until: "read") { rig.engine.status().journal.lines == 1 }
            #expect(rig.engine.status().holds.isEmpty)
        }
    }
}
