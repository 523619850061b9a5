import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

@testable import Daemon

/// Flags of `serve-firebase` that keep it from starting.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct ServeFirebaseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var flags: String
        var code: Int
        var words: String
        var testDescription: String { flags }

        init(_ flags: String, _ code: Int, _ words: String) {
            self.flags = flags
            self.code = code
            self.words = words
        }
    }

    static let cases = [
        Case("--tls-cert a", 64, "--tls-cert and --tls-key belong together"),
        Case("--tls-key a", 64, "--tls-cert and --tls-key belong together"),
        Case("--project p", 64, "--token-key"),
        Case("--secret-file none", 78, "/none: No such file"),
        Case("--secret-file open", 78, "chmod it to 0600"),
        Case("--secret-file lines", 78, "/lines: the secret must be one line"),
        Case("--token-key none", 78, "/none: No such file"),
        Case("--token-key lines", 78, "/lines: it is neither PEM nor JSON"),
        Case("--token-key shared", 78, "chmod it to 0600"),
        Case("--tls-cert lines --tls-key open", 78, "chmod it to 0600"),
        Case("--tls-cert lines --tls-key lines", 78, "holds no certificate"),
        Case("--rules lines", 78, "/lines:1:1: "),
        Case("--listen 0.0.0.0:0", 78, "--listen 0.0.0.0:0: other machines can reach it; give --tls-cert"),
        Case("--listen [::]:0 --rules rules", 78, "or say --insecure"),
        Case("--listen 127.example.com:0", 78, "or say --insecure"),
        Case("--listen 0.0.0.0:0 --emulator", 78, "leave out --emulator, or say --insecure"),
    ]

    @Test(arguments: cases) func `one line says what is wrong`(_ given: Case) async throws {
        try await withTemporaryFolder { folder in
            try write("s3cret-line", to: folder.appending("open"), mode: 0o644)
            try write("s3cret-line\nand another", to: folder.appending("lines"))
            try write(String(repeating: "s3cret", count: 8), to: folder.appending("shared"), mode: 0o644)
            try write(#"{"rules":{}}"#, to: folder.appending("rules"))
            let flags = ["serve-firebase", "--data", "data"] + given.flags.split(separator: " ").map(String.init)
            let listen = given.flags.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
            let ended = try await moviesyncd(flags + listen, in: folder)
            #expect(ended.code == given.code)
            #expect(ended.errors.contains(given.words), "\(ended.errors)")
            #expect(!ended.errors.contains("s3cret"))
            if given.code == 78 { #expect(ended.errors.count { $0.isNewline } == 1) }
        }
    }

    @Test(arguments: [
        ("none", 74, "/none: No such file"), ("open", 77, "chmod it to 0600"), ("folder", 74, "not a regular file"),
    ])
    func `a credential that can't be read is no data that is there`(
        name: String, code: Int, words: String
    ) async throws {
        try await withTemporaryFolder { folder in
            try write("s3cret-line", to: folder.appending("open"), mode: 0o644)
            try FileManager.default.createDirectory(atPath: "\(folder)/folder", withIntermediateDirectories: false)
            let ended = try await moviesyncd(
                ["serve-firebase", "export", "--credential-file", "\(folder)/\(name)", "file"], in: folder)
            #expect(ended.code == code)
            #expect(ended.errors.contains("--credential-file: ") && ended.errors.contains(words), "\(ended.errors)")
        }
    }

    @Test(arguments: [[], ["keys", "rotate"], ["accounts", "export", "file"]] as [[String]])
    func `a folder without a name is not the working directory`(command: [String]) async throws {
        try await withTemporaryFolder { folder in
            let listen = command.isEmpty ? ["--listen", "127.0.0.1:0"] : []
            let ended = try await moviesyncd(["serve-firebase"] + command + ["--data", ""] + listen, in: folder)
            #expect(ended.code == 64)
            #expect(ended.errors.contains("--data is empty: name a folder, or leave it out"), "\(ended.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.string).isEmpty)
        }
    }

    @Test func `help names every flag`() async throws {
        try await withTemporaryFolder { folder in
            let ended = try await moviesyncd(["serve-firebase", "--help"], in: folder)
            for flag in [
                "listen", "data", "rules", "secret-file", "token-key", "project", "tls-cert", "tls-key", "emulator",
                "insecure",
            ] {
                #expect(ended.output.contains("--\(flag)"))
            }
        }
    }
}
