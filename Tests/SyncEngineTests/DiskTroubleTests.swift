import ControlAPI
import LocalStore
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

@Suite(.inTurn, .timeLimit(.minutes(1))) struct DiskTroubleTests {
    @Test func `whoever asks for something to be noted hears that the state can't be written`() async throws {
        let disk = HandDisk()
        let rig = try EngineUnderTest(synchronize: { try disk.synchronize() })
        try await rig.engine.context.commit { [context = rig.engine.context] transaction in
            let item = QuarantinedItem(.journal, Defect(.missingKey, "it is none"), since: 3)
            try transaction.quarantine(item, context.applier.context(EngineUnderTest.movies))
        }
        let number = try #require(try await rig.store.read { try $0.quarantined(after: 0, limit: 1).first?.number })
        disk.set(.fails)
        let error = await #expect(throws: (any Error).self) { try await rig.engine.dropQuarantined(number) }
        #expect((error as? any ControlErrorConvertible)?.controlError.code == "stateFailed")
    }

    @Test func `a state that can't be written is not told as a journal that can't be read`() async throws {
        let disk = HandDisk()
        let rig = try EngineUnderTest(synchronize: { try disk.synchronize() })
        try await rig.whileRunning { rig in
            try await rig.until("live") { $0.remote.stream == .live }
            disk.set(.fails)
            try rig.append(EngineUnderTest.create(1))
            try await rig.until("told") { $0.journal.lastError != nil }
            let standstill = rig.engine.context.status.current.standstill
            #expect(standstill.count == 1 && standstill[0].hasPrefix("the state can't be written"))
        }
    }
}
