import ControlAPI
import ControlTestSupport
import FoundationEssentials
import JSONText
import SyncModel
import TestSupport
import Testing

/// The built program, and who its user is.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct AccountToolTests {
    private func withPeople(_ body: (_ socket: String, _ passwords: [String: String]) async throws -> Void) async throws
    {
        let folder = try TemporaryFolder()
        var passwords: [String: String] = [:]
        for word in ["geheim", "falsch"] {
            let path = folder(word)
            let isMade = FileManager.default.createFile(
                atPath: path, contents: Data("\(word)\n".utf8), attributes: [.posixPermissions: 0o600])
            #expect(isMade)
            passwords[word] = path
        }
        try await withServedSocket(FakeControlService.full(), people: FakePeopleService()) { socket in
            try await body(socket, passwords)
        }
    }

    @Test func `login, whoami and logout tell who one is`() async throws {
        try await withPeople { socket, passwords in
            let before = try await moviesync(["whoami"], socket: socket)
            #expect(before.exitCode == 0 && before.output.hasPrefix("local: nobody has signed in"))
            let login = try await moviesync(
                ["login", "--email", "anna@example.org", "--password-file", try #require(passwords["geheim"])],
                socket: socket)
            #expect(login.exitCode == 0, "\(login.complaint)")
            #expect(login.output.hasPrefix("anna <anna@example.org>  uid A\n"))
            #expect(try await moviesync(["whoami"], socket: socket).output == login.output)
            let all = try await moviesync(["whoami", "--all"], socket: socket)
            #expect(all.output.contains("bob") && all.output.contains("ended: the account is disabled"))
            #expect(try await moviesync(["logout"], socket: socket).output == "anna is signed out\n")
            let again = try await moviesync(["logout"], socket: socket)
            #expect(again.exitCode == 65 && again.complaint == "moviesync: you have not signed in\n")
        }
    }

    @Test func `a wrong password is refused, and what has no secret is said`() async throws {
        try await withPeople { socket, passwords in
            let email = ["--email", "anna@example.org"]
            let wrong = try await moviesync(
                ["login"] + email + ["--password-file", try #require(passwords["falsch"])], socket: socket)
            #expect(wrong.exitCode == 77 && wrong.complaint.split(separator: "\n").count == 1)
            let none = try await moviesync(["login"] + email + ["--password-file", "/nonexistent"], socket: socket)
            #expect(none.exitCode == 74 && none.complaint.contains("/nonexistent"))
            let json = try await moviesync(
                ["login", "--json"] + email + ["--password-file", try #require(passwords["falsch"])], socket: socket)
            let error = try JSONReader.members(Array(json.complaint.utf8))["error"]?.members
            #expect(error?["code"] == "wrongCredentials")
        }
    }
}
