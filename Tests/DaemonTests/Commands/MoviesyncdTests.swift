import FoundationEssentials
import LocalStore
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
