import ControlAPI
import ControlTestSupport
import TestSupport
import Testing

/// The built program, and what it decides about items of the quarantine.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct QuarantineToolTests {
    @Test(arguments: ["--all", "3"]) func `a program is told which item it was`(items: String) async throws {
        let service = FakeControlService.full()
        service.change { $0.quarantine[0].id = 3 }
        try await withServedSocket(service) { socket in
            for decision in ["retry", "drop"] {
                let run = try await moviesync(["quarantine", decision, items, "--json"], socket: socket)
                #expect(run.exitCode == 0, "\(run.complaint)")
                #expect(run.output == "{\"done\":true,\"id\":3}\n")
            }
        }
    }

    @Test func `all items of the quarantine are decided many at a time`() async throws {
        let service = FakeControlService()
        service.change { state in
            state.quarantine = (1...1_100).map { number in
                var item = FakeControlService.quarantined
                item.id = Int64(number)
                return item
            }
        }
        try await withServedSocket(service) { socket in
            for (decision, past) in [("drop", "dropped"), ("retry", "retried")] {
                let run = try await moviesync(["quarantine", decision, "--all"], socket: socket)
                #expect(run.exitCode == 0, "\(run.complaint)")
                #expect(run.lines.count == 1_100 && run.lines.last == "item 1100 is \(past)")
                for ids in [Array(1...500), Array(501...1_000), Array(1_001...1_100)] as [[Int64]] {
                    #expect(await service.calls.first { _ in true } == "\(decision) \(ids)")
                }
            }
        }
    }
}
