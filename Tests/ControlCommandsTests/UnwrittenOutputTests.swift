import ControlTestSupport
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Where standard output is full, closed, or read by somebody who has seen enough.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct UnwrittenOutputTests {
    @Test(arguments: [["--help"], ["--version"], [], ["help", "list"], ["list", "--help"], ["journal"], ["about"]])
    func `what can't be written is an error, also where it is help`(words: [String]) async throws {
        let result = try await run(
            .path("/bin/sh"),
            arguments: Arguments(["-c", "\"$@\" > /dev/full", "sh", BuiltProgram.moviesync.path.string] + words),
            output: .discarded, error: .string(limit: 1 << 16))
        #expect(result.terminationStatus == .exited(74))
        #expect(result.standardError == "moviesync: the output can't be written: No space left on device\n")
    }

    @Test(arguments: ["/dev/full", "closed"])
    func `what can't be answered is not saved`(output: String) async throws {
        try await withTemporaryFolder { folder in
            let tool = BuiltProgram.moviesync.path.string
            let target = output == "closed" ? ">&-" : "> \(output)"
            let result = try await run(
                .path("/bin/sh"),
                arguments: ["-c", "\"$0\" add Alien --journal \"$1\" \(target)", tool, "\(folder)/journal.jsonl"],
                output: .discarded, error: .string(limit: 1 << 16))
            #expect(result.terminationStatus == .exited(74))
            #expect(result.standardError.contains("nothing was saved"))
            #expect((try? lines(of: "\(folder)/journal.jsonl")) == nil)
        }
    }

    @Test func `a reader that has seen enough is no error`() async throws {
        let service = FakeControlService()
        service.change { state in
            state.changes = (1...5_000).map { FakeControlService.change($0) }
        }
        try await withServedSocket(service) { socket in
            let script = "\"$0\" changes --socket \"$1\" | head -n 1"
            let result = try await run(
                .path("/bin/sh"), arguments: ["-c", script, BuiltProgram.moviesync.path.string, socket],
                output: .string(limit: 1 << 16), error: .string(limit: 1 << 16)
            )
            #expect(result.standardOutput.split(separator: "\n").count == 1)
            #expect(result.standardError == "")
        }
    }
}
