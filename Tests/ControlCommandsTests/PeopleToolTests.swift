import ControlAPI
import ControlTestSupport
import FoundationEssentials
import JSONText
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// The built program, and what people say about films.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct PeopleToolTests {
    private static let id = FakeControlService.alienID
    private static let favourites = CollectionSchema(
        name: "favourites", titleField: "title", columns: ["title"], keyParts: [.init("uid"), .init("film")])
    private static let reviews = CollectionSchema(
        name: "reviews", titleField: "text", columns: ["text"], keyParts: [.init("film"), .init("uid")])

    private static func favourite(_ film: String, title: String = "T") -> RecordReply {
        RecordReply(
            collection: "favourites", id: RecordID.named("anna/\(film)", in: "favourites").description,
            fields: ["uid": "anna", "film": .string(film), "title": .string(title)], stamp: "")
    }

    private static func review(_ film: String) -> RecordReply {
        RecordReply(
            collection: "reviews", id: RecordID.named("\(film)/anna", in: "reviews").description,
            fields: ["uid": "anna", "film": .string(film), "text": "t"], stamp: "")
    }

    /// Runs a command at a daemon that knows the film 348 and what is said, and hands over the lines that it appends.
    private func run(
        _ words: [String], _ said: [RecordReply], fields: [String: JSONValue] = ["title": "Alien", "tmdbID": 348],
        deleted: Bool = false, input: String? = nil
    ) async throws -> (run: ToolRun, lines: [[String: JSONValue]]) {
        try await withTemporaryFolder { folder in
            var state = FakeControlService.State()
            state.status.journal.path = "\(folder)/journal.jsonl"
            state.schemas += [PeopleToolTests.favourites, PeopleToolTests.reviews]
            var film = FakeControlService.alien
            film.deleted = deleted
            film.fields = deleted ? [:] : fields
            state.history.items = [
                .init(
                    seq: 1, at: FakeControlService.moment, op: "delete", who: "app", origin: nil, stamp: nil, rule: nil,
                    fields: fields.map { .init(name: $0.key, before: $0.value, after: nil, who: "app") })
            ]
            state.records = [film] + said
            let file = "\(folder)/marks.json"
            if let input { try Data(input.utf8).write(to: URL(filePath: file)) }
            let words = (words + ["--as", "anna"]).map { $0 == "FILE" ? file : $0 }
            let service = FakeControlService(state)
            let run = try await withServedSocket(service, catalogs: FakeCatalogService()) { socket in
                try await moviesync(words, socket: socket)
            }
            let journal = (try? lines(of: "\(folder)/journal.jsonl")) ?? []
            return (run, try journal.map { try JSONReader.members($0.utf8) })
        }
    }

    @Test(arguments: [
        ("348", id), ("omdb:tt1", id), (id, id), ("348", "348"), ("omdb:tt1", "omdb:tt1"), ("348", "tmdb:348"),
    ])
    func `a favourite goes whatever its film was called when it became one`(key: String, name: String) async throws {
        let fields: [String: JSONValue] = ["title": "Alien", "tmdbID": 348, "imdbID": "tt1"]
        let own = PeopleToolTests.favourite(key)
        for command in ["remove", "toggle"] {
            let (run, lines) = try await run(["favourite", command, name], [own], fields: fields)
            #expect(run.exitCode == 0, "\(run.complaint)")
            #expect(lines.map { $0["op"] } == ["delete"] && lines.map { $0["id"] } == [.string(own.id)])
        }
        let (run, lines) = try await run(["favourite", "remove", name], [own], fields: fields, deleted: true)
        #expect(run.exitCode == 0 && lines.map { $0["id"] } == [.string(own.id)], "\(run.complaint)")
    }

    @Test func `a number finds what stands under the id of its film`() async throws {
        let own = PeopleToolTests.favourite(PeopleToolTests.id)
        let (run, lines) = try await run(["favourite", "remove", "348"], [own])
        #expect(run.exitCode == 0 && lines.map { $0["id"] } == [.string(own.id)], "\(run.complaint)")
        let added = try await self.run(["favourite", "add", "348"], [own])
        #expect(added.lines.map { $0["id"] } == [.string(own.id)], "\(added.run.complaint)")
        let new = try await self.run(["favourite", "add", PeopleToolTests.id], [])
        #expect(new.lines.map { $0["id"] } == [.string(PeopleToolTests.favourite("348").id)])
    }

    @Test(arguments: ["348", id])
    func `a review is listed, edited and deleted whatever its film was called`(key: String) async throws {
        let own = PeopleToolTests.review(key)
        for command in [["edit", PeopleToolTests.id, "--text", "x"], ["delete", PeopleToolTests.id]] {
            let (run, lines) = try await run(["review"] + command, [own])
            #expect(run.exitCode == 0 && lines.map { $0["id"] } == [.string(own.id)], "\(run.complaint)")
        }
        let again = try await run(["review", "add", PeopleToolTests.id, "--text", "x"], [own])
        #expect(again.run.exitCode == 65 && again.lines.isEmpty)
    }

    @Test func `one film of a file holds up no other`() async throws {
        let unknown = "00009999-0000-4000-8000-000000000000"
        let input = """
            {"348": true, "": true, "a/b": true, "6F96": true, "\(unknown)": true, "shelf:a": true, "9": false,
            "\(PeopleToolTests.brazil)": false}
            """
        let (run, lines) = try await run(
            ["favourite", "import", "FILE"], [PeopleToolTests.favourite("9")], input: input)
        #expect(run.exitCode == 65)
        #expect(run.complaint.contains(#"left out: "", 00009999-0000-4000-8000-000000000000, 6F96, a/b"#))
        #expect(lines.map { $0["op"] } == ["create", "delete"], "\(lines)")
        #expect(lines.first?["fields"]?.members?["film"] == "348")
    }

    private static let brazil = FakeControlService.brazilID

    @Test func `what is a favourite by any key of its film becomes none again`() async throws {
        let own = [PeopleToolTests.favourite(PeopleToolTests.id)]
        let (run, lines) = try await run(
            ["favourite", "import", "FILE"], own, input: #"{"348": true, "\#(PeopleToolTests.id)": true}"#)
        #expect(run.exitCode == 0 && lines.isEmpty, "\(run.complaint) \(lines)")
        let ended = try await self.run(
            ["favourite", "import", "FILE"], own, input: #"{"348": false, "tmdb:348": false, "6": false}"#)
        #expect(ended.lines.map { $0["op"] } == ["delete"], "\(ended.run.complaint)")
        let both = own + [PeopleToolTests.favourite("348")]
        let twice = try await self.run(["favourite", "import", "FILE"], both, input: #"{"348": false}"#)
        #expect(twice.lines.map { $0["op"] } == ["delete", "delete"], "\(twice.run.complaint)")
        let unread = try await self.run(["favourite", "import", "FILE"], own, input: #"{"6F9619FF": false}"#)
        #expect(unread.run.exitCode == 65 && unread.run.complaint.contains("6F9619FF"))
    }

    @Test(arguments: [[], ["--title", "Alien"]] as [[String]])
    func `a favourite where none are kept is refused as other edits are`(options: [String]) async throws {
        try await withTemporaryFolder { folder in
            let service = FakeControlService.full()
            service.change { $0.status.journal.path = "\(folder)/journal.jsonl" }
            try await withServedSocket(service) { socket in
                let run = try await moviesync(["favourite", "add", "348"] + options, socket: socket)
                #expect(run.exitCode == 64 && run.output.isEmpty)
                let words =
                    "no enabled collection is called 'favourites' (collections.enabled does not name it); there are: "
                #expect(run.complaint.contains(words), "\(run.complaint)")
            }
            #expect((try? lines(of: "\(folder)/journal.jsonl")) == nil)
        }
    }
}
