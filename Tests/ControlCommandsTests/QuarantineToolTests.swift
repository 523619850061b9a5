import ControlAPI
import ControlTestSupport
import TestSupport
import Testing

/// The built program, and what it decides about items of the quarantine.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct QuarantineToolTests {
    @Test(arguments: ["--all", "3"]) func `a program is told which item it was`(items: String) async throws {
        let service = FakeControlService.full()
        try await withServedSocket(service) { socket in
            for decision in ["drop", "retry"] {
                let run = try await moviesync(["quarantine", decision, items, "--json"], socket: socket)
                #expect(run.exitCode == 0, "\(run.complaint)")
                #expect(run.output == "{\"done\":true,\"id\":3}\n")
            }
        }
    }

    @Test(arguments: [["--all"], ["3"], ["3", "4"]])
    func `a line that is still wrong is no success`(items: [String]) async throws {
        let service = FakeControlService()
        service.change { state in
            for id: Int64 in [3, 4, 5] {
                var item = FakeControlService.quarantined
                item.id = id
                if id == 5 { item.source = .pull }
                state.quarantine.append(item)
            }
            state.stillWrong = [3, 5]
        }
        try await withServedSocket(service) { socket in
            let run = try await moviesync(["quarantine", "retry"] + items, socket: socket)
            #expect(run.exitCode == 65)
            #expect(run.lines.first == "item 3 stays: invalidJSON: this is not a JSON object")
            let others = ["--all": [4, 5], "4": [4], "3": []][items.last ?? ""] ?? []
            #expect(run.lines.dropFirst() == others.map { "item \($0) is retried" }[...])
            #expect(run.complaint == "moviesync: 1 line can't be applied now either\n")
            let json = try await moviesync(["quarantine", "retry", "3", "--json"], socket: socket)
            let reply = #"{"code":"invalidJSON","done":false,"id":3,"reason":"this is not a JSON object"}"#
            #expect(json.output == reply + "\n")
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
