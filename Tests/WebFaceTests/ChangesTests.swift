import ControlAPI
import ControlTestSupport
import Foundation
import SyncModel
import TestSupport
import Testing

@testable import WebFace

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct ChangesTests {
    /// What the page asks of a fake daemon, whose journal is a real file.
    private func withChanges(
        _ state: FakeControlService.State = .init(),
        _ body: (Changes, _ journal: () throws -> [[String: JSONValue]]) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/journal.jsonl"
            var state = state
            state.status.journal.path = path
            state.records += [FakeControlService.alien, FakeControlService.brazil]
            let service = FakeControlService(state)
            let daemon = DaemonServices(
                service: service, catalogs: FakeCatalogService(), artwork: NoArtwork(), status: { service.status() })
            let changes = Changes(
                daemon: daemon, editor: Editor(service: service, wall: { FakeControlService.moment.milliseconds }))
            try await body(changes) {
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                return try text.split(separator: "\n").map {
                    try JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8))
                }
            }
        }
    }

    private func form(_ text: String = "") throws -> Form { try Form(Query(text), person: "anna") }

    @Test
    func `a form is one line of the journal`() async throws {
        try await withChanges { changes, journal in
            let id = FakeControlService.brazilID
            let done = try await changes.carryOut(["film", id, "watched"], form("value=true&back=/?from=101"))
            #expect(done?.words == "Brazil is marked as watched.")
            #expect(done?.page == "/?from=101")
            let line = try #require(try journal().first)
            #expect(line["op"] == "update" && line["collection"] == "movies" && line["id"] == .string(id))
            #expect(line["fields"] == ["hasWatched": true])
            #expect(line["at"] == .string(FakeControlService.moment.description))
            #expect(line["opID"]?.text?.count == 36)
        }
    }

    @Test
    func `what is empty takes a field away, and what is as it was writes nothing`() async throws {
        try await withChanges { changes, journal in
            let id = FakeControlService.alienID
            let same = try await changes.carryOut(["film", id, "edit"], form("title=Alien&year=1979"))
            #expect(same?.words == "Nothing was changed.")
            #expect(try journal().isEmpty)
            _ = try await changes.carryOut(["film", id, "edit"], form("title=Alien&year="))
            #expect(try journal().first?["fields"] == .object(["year": .null]))
        }
    }

    @Test(
        arguments: [
            ("title=Old&was-title=Old&year=1980&was-year=1979", ["year": 1980]),
            ("title=New&was-title=Old&year=1975&was-year=1975", ["title": "New"]),
            ("title=Old&was-title=Old&year=&was-year=1975", ["year": .null]),
            ("title=New&was-title=Old&year=1500&was-year=1500", ["title": "New"]),
            ("title=+Old&was-title=Old+&year=&was-year=", nil),
        ] as [(String, JSONValue?)])
    func `what somebody else has changed since the form was shown stays`(text: String, fields: JSONValue?) async throws
    {
        try await withChanges { changes, journal in
            _ = try await changes.carryOut(["film", FakeControlService.alienID, "edit"], form(text))
            #expect(try journal().first?["fields"] == fields)
        }
    }

    @Test(
        arguments: [
            ("text=First&was-text=First&rating=9&was-rating=7", ["rating": 9]),
            ("text=Second&was-text=First&rating=7&was-rating=7", ["text": "Second"]),
            ("text=First&was-text=First&rating=&was-rating=7", ["rating": .null]),
            ("text=One%0D%0Atwo&was-text=One%0Atwo&rating=7&was-rating=7", nil),
        ] as [(String, [String: JSONValue]?)])
    func `so does what was changed of a review`(text: String, fields: [String: JSONValue]?) async throws {
        var state = FakeControlService.State()
        var review = FakeControlService.alien
        review.collection = "reviews"
        review.id = "00000000-0000-4000-8000-000000000001"
        review.fields = ["text": "Longer, from the phone", "rating": 8]
        state.records = [review]
        try await withChanges(state) { changes, journal in
            let done = try await changes.carryOut(["film", FakeControlService.alienID, "review"], form(text))
            #expect((done?.words == "Nothing was changed.") == (fields == nil))
            var written = try journal().first?["fields"]?.members
            #expect(written?.removeValue(forKey: "edited") != nil || fields == nil)
            #expect(written == fields)
        }
    }

    @Test(arguments: [("e", 5_000, true), ("e", 5_001, false), ("e\u{301}", 2_500, true), ("e\u{301}", 2_501, false)])
    func `a review is as long as its collection allows`(letter: String, count: Int, isTaken: Bool) async throws {
        try await withChanges { changes, journal in
            let form = try form("text=" + PercentEncoding.encoded(String(repeating: letter, count: count)))
            let path = ["film", FakeControlService.alienID, "review"]
            guard isTaken else {
                let error = await #expect(throws: ControlError.self) { try await changes.carryOut(path, form) }
                #expect(error?.code == "tooLong")
                return
            }
            // Nothing here keeps reviews: only the length was looked at.
            let error = await #expect(throws: ControlError.self) { try await changes.carryOut(path, form) }
            #expect(error?.code != "tooLong")
        }
    }

    @Test(
        arguments: [
            ("favourite", "value=false", "delete"), ("favourite", "value=true", "create"),
            ("review", "text=New", "update"), ("review/delete", "", "delete"),
            ("vote", "author=bob&vote=like", "create"),
            ("vote", "author=carl&vote=clear", "delete"),
        ])
    func `what was said of a film before it had its number is changed where it stands`(
        path: String, text: String, op: String
    ) async throws {
        var film = FakeControlService.alien
        film.id = "6E000000-8B86-4011-B42D-00C04FC964FF"
        film.fields["tmdbID"] = 348
        func said(_ collection: String, _ more: [String: JSONValue]) -> RecordReply {
            let fields: [String: JSONValue] = ["film": .string(film.id)]
            return RecordReply(
                collection: collection, id: "00000000-0000-4000-8000-000000000001",
                fields: fields.merging(more) { $1 }, stamp: "")
        }
        var state = FakeControlService.State()
        state.schemas += [
            CollectionSchema(
                name: "favourites", titleField: "title", columns: [], keyParts: [.init("uid"), .init("film")]),
            CollectionSchema(
                name: "votes", titleField: "vote", columns: [],
                keyParts: [.init("film"), .init("author"), .init("uid")]),
        ]
        state.records = [
            film, said("favourites", ["uid": "anna"]), said("reviews", ["uid": "anna", "text": "Old"]),
            said("votes", ["uid": "anna", "author": "carl", "vote": 1]),
        ]
        try await withChanges(state) { changes, journal in
            _ = try await changes.carryOut(["film", film.id] + path.split(separator: "/").map(String.init), form(text))
            let line = try #require(try journal().first)
            #expect(try journal().count == 1 && line["op"] == .string(op))
            if op == "create" {
                #expect(line["fields"]?.members?["film"] == .string(film.id))
            } else {
                #expect(line["id"] == "00000000-0000-4000-8000-000000000001")
            }
        }
    }

    @Test(
        arguments: [
            (EditReply.State.pending, "Deleted Brazil. The remote does not have it yet: because."),
            (.held, "This waits for a decision, see Attention: because."),
            (.unread, "Deleted Brazil, as soon as the journal is read: because."), (.quarantined, nil), (.refused, nil),
        ] as [(EditReply.State, String?)])
    func `what becomes of an edit is said`(state: EditReply.State, words: String?) async throws {
        let id = FakeControlService.brazilID
        var fakes = FakeControlService.State()
        fakes.fates[id] = EditReply(collection: "movies", id: id, opID: "", state: state, reason: "because")
        try await withChanges(fakes) { changes, _ in
            guard let words else {
                let form = try form()
                await #expect(throws: ControlError.self) { try await changes.carryOut(["film", id, "delete"], form) }
                return
            }
            let done = try await changes.carryOut(["film", id, "delete"], form())
            #expect(done?.words == words)
        }
    }

    @Test
    func `ticked rows are saved with one write, those that are there left out`() async throws {
        try await withChanges { changes, journal in
            let done = try await changes.carryOut(
                ["search", "save"], form("set=5ca1ab1e&pick=1&pick=2&pick=3&watched=true"))
            #expect(done?.words == "Saved 2, 1 there already.")
            let lines = try journal()
            #expect(lines.map { $0["op"] } == ["create", "create"])
            #expect(lines.allSatisfy { $0["fields"]?.members?["hasWatched"] == true })
        }
    }

    @Test(
        arguments: [
            ([.confirmed, .quarantined], "Saved 1, 1 there already. 1 is in quarantine: because."),
            ([.quarantined, .confirmed], "Saved 1, 1 there already. 1 is in quarantine: because."),
            (
                [.refused, .refused, .unread],
                "Saved 1, 1 there already, as soon as the journal is read: because. "
                    + "2 are not taken by the remote: because."
            ),
            ([.held, .confirmed], "Saved 1, 1 there already. 1 waits for a decision, see Attention: because."),
            ([.quarantined, .held], "This waits for a decision, see Attention: because. 1 is in quarantine: because."),
            ([.quarantined, .quarantined], nil),
        ] as [([EditReply.State], String?)])
    func `of rows that are saved together each is asked for`(states: [EditReply.State], words: String?) async throws {
        var fakes = FakeControlService.State()
        for (number, state) in zip(2..., states) {
            let id = "6F9619FF-8B86-5011-B42D-00C04FC964F\(number)"
            fakes.fates[id] = EditReply(collection: "movies", id: id, opID: "", state: state, reason: "because")
        }
        let picks = (1...states.count + 1).map { "&pick=\($0)" }.joined()
        try await withChanges(fakes) { changes, _ in
            let form = try form("set=5ca1ab1e" + picks)
            guard let words else {
                await #expect(throws: ControlError.self) { try await changes.carryOut(["search", "save"], form) }
                return
            }
            #expect(try await changes.carryOut(["search", "save"], form)?.words == words)
        }
    }

    @Test(
        arguments: [
            (.journal, true, "Item 3 stays in quarantine: invalidJSON: this is not a JSON object."),
            (.journal, false, "Item 3 was tried again, and is not in quarantine any more."),
            (.pull, true, "Item 3 of the quarantine is tried again."),
        ] as [(QuarantineReply.Source, Bool, String)])
    func `of an item that is tried again it is said whether it stays`(
        source: QuarantineReply.Source, stays: Bool, words: String
    ) async throws {
        var fakes = FakeControlService.State()
        var item = FakeControlService.quarantined
        item.source = source
        var next = item
        next.id = 4
        fakes.quarantine = [item, next]
        if stays { fakes.stillWrong = [3] }
        try await withChanges(fakes) { changes, _ in
            let done = try await changes.carryOut(["quarantine", "3", "retry"], form())
            #expect(done?.words == words)
        }
    }

    @Test(arguments: [
        ["films", "more"], ["film", FakeControlService.alienID, "burn"], ["holds", "7", "forget"], [],
        ["search", "burn"], ["film", FakeControlService.alienID], ["favourites", "add"],
    ])
    func `nothing is changed at other paths`(path: [String]) async throws {
        try await withChanges { changes, journal in
            let done = try await changes.carryOut(path, form("title=X"))
            #expect(done == nil)
            #expect(try journal().isEmpty)
        }
    }
}
