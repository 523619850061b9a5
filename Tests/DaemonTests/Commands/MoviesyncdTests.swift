import FoundationEssentials
import LocalStore
import Subprocess
import SystemPackage
import TestSupport
import Testing

@testable import Daemon

/// The built program, as a process.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct MoviesyncdTests {
    @Test func `a good configuration ends with 0`() async throws {
        try await withTemporaryFolder { folder in
            try write("state: /x\n", to: folder.appending("c.yaml"))
            let ended = try await moviesyncd(["check-config", "--config", "c.yaml"], in: folder)
            #expect(ended.code == 0)
            #expect(ended.output == "\(folder)/c.yaml: the configuration is good\n")
            #expect(ended.errors == "")
        }
    }

    @Test func `what a daemon starts without is a warning, with its place`() async throws {
        try await withTemporaryFolder { folder in
            let yaml = """
                plugins:
                  shelf: {command: /nowhere/shelf}
                webhooks:
                  home: {url: "https://example.org", secretFile: nothing}
                users:
                  tokens:
                    anna: missing
                """
            try write(yaml, to: folder.appending("c.yaml"))
            let ended = try await moviesyncd(["check-config", "--config", "c.yaml"], in: folder)
            #expect(ended.code == 0)
            #expect(ended.output == "\(folder)/c.yaml: the configuration is good\n")
            let lines = ended.errors.split(separator: "\n")
            let starts = [
                "2:20: plugins.shelf.command: ", "4:50: webhooks.home.secretFile: ", "7:11: users.tokens.anna: ",
            ]
            #expect(lines.count == starts.count)
            for (line, start) in zip(lines, starts) {
                #expect(line.hasPrefix("moviesyncd: warning: \(folder)/c.yaml:\(start)"), "\(line)")
            }
        }
    }

    @Test func `a bad configuration ends with 78 and a line for each problem`() async throws {
        try await withTemporaryFolder { folder in
            try write("stat: /x\nclock: {maxAhead: 60}\n", to: folder.appending("c.yaml"))
            let ended = try await moviesyncd(["--config", "c.yaml"], in: folder)
            #expect(ended.code == 78)
            #expect(ended.output == "")
            let lines = ended.errors.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first.map(String.init) == "\(folder)/c.yaml:1:1: unknown key stat; did you mean state?")
        }
    }

    @Test(arguments: [["nonsense"], ["--log-level", "loud"], ["serve-firebase", "--listen", "9000"], ["--state"]])
    func `a wrong command line ends with 64`(_ arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            let ended = try await moviesyncd(arguments, in: folder)
            #expect(ended.code == 64)
        }
    }

    @Test(arguments: [
        (
            ["--log-level", "nope"],
            "The value 'nope' is invalid for '--log-level <log-level>'. Please provide one of the following: trace, debug, "
                + "info, notice, warning, error, critical; see 'moviesyncd run --help'"
        ), (["--nonsense"], "Unknown option '--nonsense'; see 'moviesyncd run --help'"),
    ])
    func `a wrong command line is told in one line`(_ arguments: [String], words: String) async throws {
        try await withTemporaryFolder { folder in
            let ended = try await moviesyncd(arguments, in: folder)
            #expect(ended.code == 64 && ended.output.isEmpty)
            #expect(ended.errors == "moviesyncd: \(words)\n")
        }
    }

    @Test(arguments: [["--help"], ["--version"], ["help", "run"], ["places"], ["check-config"]])
    func `what can't be written is an error, also where it is help`(_ arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            let result = try await run(
                .path("/bin/sh"),
                arguments: Arguments(
                    ["-c", "\"$@\" > /dev/full", "sh", BuiltProgram.moviesyncd.path.string] + arguments),
                environment: .exactly(["HOME": folder.string]), output: .discarded, error: .string(limit: 1 << 16))
            #expect(result.terminationStatus == .exited(74))
            #expect(result.standardError == "moviesyncd: the output can't be written: No space left on device\n")
        }
    }

    @Test func `a state below a file ends with 73 and the system's words`() async throws {
        try await withTemporaryFolder { folder in
            try write("", to: folder.appending("f"))
            let ended = try await moviesyncd(
                ["--state", "f/x", "--socket", "s"], in: folder, log: ["MOVIESYNC_LOG_FORMAT": "text"])
            #expect(ended.code == 73)
            let words =
                "no folder for the state: cannot make folder \(folder)/f/x: Not a directory; use another --state"
            #expect(ended.errors == "moviesyncd: \(words)\n")
        }
    }

    @Test func `the program says its version`() async throws {
        try await withTemporaryFolder { folder in
            let ended = try await moviesyncd(["--version"], in: folder)
            #expect(ended.code == 0)
            #expect(ended.output.hasPrefix("moviesyncd 0."))
        }
    }

    @Test func `a state that is held ends with 75 in one line`() async throws {
        try await withTemporaryFolder { folder in
            let held = try LocalStore(folder: folder.appending("state").string)
            let ended = try await moviesyncd(
                ["--state", "state", "--socket", "s"], in: folder, log: ["MOVIESYNC_LOG_FORMAT": "text"])
            held.close()
            #expect(ended.code == 75)
            #expect(ended.errors.hasPrefix("moviesyncd: "))
            #expect(ended.errors.contains("\(folder)/state"))
            #expect(ended.errors.count { $0.isNewline } == 1)
        }
    }

    @Test func `a remote that can't be reached ends with 69`() async throws {
        try await withTemporaryFolder { folder in
            let yaml = "remote: {plugin: firebase, url: 'http://127.0.0.1:1'}\n"
            try write(yaml, to: folder.appending("c.yaml"))
            let ended = try await moviesyncd(
                ["check-config", "--probe", "--config", "c.yaml", "--state", "s"], in: folder)
            #expect(ended.code == 69)
            #expect(ended.errors.hasPrefix("moviesyncd: unreachable"))
        }
    }
}
