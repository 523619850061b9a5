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

    /// A favourite with what an app keeps of it.
    private func favourite(_ film: Int64, of uid: String, id: String) -> RecordReply {
        RecordReply(
            collection: "favourites", id: "00000000-0000-4000-8000-0000000000\(id)",
            fields: [
                "uid": .string(uid), "film": .string("\(film)"), "id": .integer(film),
                "title": .string("\(uid)'s \(film)"),
                "at": 1_700_000_000_000, "poster_path": "/a.jpg", "vote_average": 7.5, "mood": ["calm"],
            ], stamp: "", base: nil)
    }

    @Test func `favourites of before are handed over as they are, and what one has stays`() async throws {
        let folder = try TemporaryFolder()
        let (journal, password) = (folder("journal.jsonl"), folder("geheim"))
        let isMade = FileManager.default.createFile(
            atPath: password, contents: Data("geheim\n".utf8), attributes: [.posixPermissions: 0o600])
        #expect(isMade)
        let service = FakeControlService.full()
        let records = [
            favourite(1, of: "local", id: "01"), favourite(2, of: "local", id: "02"), favourite(2, of: "A", id: "A2"),
            favourite(3, of: "bob", id: "B3"),
        ]
        service.change { fake in
            fake.status.journal.path = journal
            fake.records += records
            fake.schemas.append(
                CollectionSchema(
                    name: "favourites", titleField: "title", columns: ["title"], defaults: ["overview": ""],
                    keyParts: [.init("uid"), .init("film")]))
        }
        try await withServedSocket(service, people: FakePeopleService()) { socket in
            let login = try await moviesync(
                ["login", "--email", "anna@example.org", "--password-file", password], socket: socket)
            #expect(login.exitCode == 0 && login.complaint.contains("2 favourites of before"), "\(login.complaint)")
        }
        let edits = try lines(of: journal).map { try JSONReader.members(Array($0.utf8)) }
        #expect(edits.map { $0["op"] } == ["create", "delete", "update", "delete"])
        var given = records[0].fields
        (given["uid"], given["overview"]) = ("A", "")
        #expect(edits[0]["fields"] == .object(given))
        #expect(edits[2]["fields"] == ["uid": "A", "film": "2", "title": "A's 2"])
        #expect(edits[2]["id"] == .string(records[2].id))
        #expect([edits[1]["id"], edits[3]["id"]] == [.string(records[0].id), .string(records[1].id)])
        #expect(edits.map { $0["by"] } == ["A", "local", "A", "local"])
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
