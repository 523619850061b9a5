import ControlAPI
import ControlTestSupport
import TestSupport
import Testing

/// What becomes of many edits of one command, when there is no time to ask for each of them.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct WaitingToolTests {
    private static func collection(pending: Int = 0, quarantined: Int = 0) -> CollectionStatus {
        CollectionStatus(records: 2, pending: pending, quarantined: quarantined)
    }

    @Test(
        arguments: [
            (collection(), false, .confirmed, 0), (collection(pending: 1), false, .confirmed, 75),
            (collection(quarantined: 1), false, .confirmed, 75), (collection(), true, .confirmed, 75),
            (collection(), false, .quarantined, 65),
        ] as [(CollectionStatus, Bool, EditReply.State, Int)])
    func `what nobody asked for is there where nothing waits`(
        collection: CollectionStatus, isHeld: Bool, fate: EditReply.State, code: Int
    ) async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            let id = FakeControlService.alienID
            service.change { state in
                state.status.journal.path = "\(folder)/journal.jsonl"
                state.status.collections = ["movies": collection]
                state.status.holds = isHeld ? [FakeControlService.hold] : []
                state.fates[id] = EditReply(collection: "movies", id: id, opID: "", state: fate)
            }
            try await withServedSocket(service) { socket in
                let run = try await moviesync(
                    ["watched"] + Array(repeating: id, count: 20) + ["--wait=0"], socket: socket)
                #expect(run.exitCode == code && run.lines.count == 20, "\(run.complaint)")
                #expect(run.complaint.contains("4 of 20 edits") == (code == 75), "\(run.complaint)")
                let asked = try await moviesync(
                    ["watched"] + Array(repeating: id, count: 20) + ["--wait"], socket: socket)
                #expect(asked.exitCode == (fate == .confirmed ? 0 : 65), "\(asked.complaint)")
            }
        }
    }
}
