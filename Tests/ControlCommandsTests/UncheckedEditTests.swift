import ControlAPI
import ControlTestSupport
import TestSupport
import Testing

/// A daemon that ends after it has told its state, before it says what it knows of a record.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct UncheckedEditTests {
    private static let begin = String(FakeControlService.alienID.prefix(6))

    @Test(
        arguments: [
            (["set", FakeControlService.alienID, "title=Aliens"], 0, true),
            (["rm", FakeControlService.alienID], 0, true),
            (["set", begin, "title=Aliens"], 69, false),
            (["toggle", FakeControlService.alienID], 69, false),
        ])
    func `what needs no answer is appended, and else it is said that nothing was saved`(
        arguments: [String], code: Int, isSaved: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let journal = "\(folder)/journal.jsonl"
            var status = FakeControlService.sampleStatus
            status.journal.path = journal
            let told = String(decoding: try ControlJSON.text(status), as: UTF8.self)
            let socket = "\(folder)/control.sock"
            try await withServer(
                at: socket,
                { request, line in
                    guard request.path == ControlRoute.status else { throw ScriptedServer.HangUp() }
                    try await line.reply(200, ["Content-Type": "application/json"], told)
                },
                { _ in
                    let run = try await moviesync(arguments, socket: socket)
                    #expect(run.exitCode == code, "\(run.complaint)")
                    #expect(run.complaint.contains("nothing was saved") == !isSaved, "\(run.complaint)")
                })
            #expect((try? lines(of: journal).count) == (isSaved ? 1 : nil))
        }
    }
}
