import ControlAPI
import ControlTestSupport
import SyncModel
import Testing

@testable import ControlCommands

struct AnswerTests {
    private static let now = Moment(milliseconds: FakeControlService.moment.milliseconds + 5_000)

    @Test(
        arguments: [
            (ReloadReply(reloaded: []), "no changes"), (ReloadReply(reloaded: ["a", "b"]), "now in force: a, b"),
            (ReloadReply(reloaded: [], needsRestart: ["c"]), "no changes\nafter a restart: c"),
            (ReloadReply(reloaded: [], problems: ["x: gone"]), "can't be read: x: gone"),
            (ReloadReply(reloaded: ["a"], problems: ["x: gone"]), "now in force: a\ncan't be read: x: gone"),
        ])
    func `a reload says what it has done, and nothing else`(reply: ReloadReply, text: String) {
        #expect(ReloadAnswer(reply: reply).text(Style()) == text)
    }

    @Test(
        arguments: [
            (["year"], ["title": "A", "year": 2], ["title": "A"], "year=2", "year=(none)"),
            (["year"], ["title": "A"], ["title": "B", "year": 5], "title=A year=(none)", "title=B year=5"),
            ([], ["title": "A"], ["title": "A", "year": 5], "(the same fields)", "year=5"),
            (["title"], ["title": "A"], ["title": "A"], "(the same fields)", "(the same fields)"),
        ] as [([String], [String: JSONValue], [String: JSONValue], String, String)])
    func `a conflict says of a field that one side has removed that it has none`(
        fields: [String], winner: [String: JSONValue], loser: [String: JSONValue], won: String, lost: String
    ) {
        var conflict = FakeControlService.conflict
        (conflict.fields, conflict.winner.fields, conflict.loser.fields) = (fields, winner, loser)
        let sides = (conflict.winner, conflict.loser)
        #expect(ConflictsAnswer.shown(sides.0, of: conflict, besides: sides.1) == won)
        #expect(ConflictsAnswer.shown(sides.1, of: conflict, besides: sides.0) == lost)
    }

    @Test(arguments: [(999, false), (1_000, true)])
    func `events that are put aside and not shown are said to be there`(count: Int64, isMore: Bool) {
        let events = (1...count).map { number in
            RefusedEventReply(
                hook: "program:h", seq: number, since: AnswerTests.now, attempts: 1, reason: "no", isDue: false,
                event: [:])
        }
        let text = RefusedEventsAnswer(events: events, now: AnswerTests.now).text(Style())
        #expect(text.contains("the first 1,000 of each hook are shown") == isMore)
    }

    @Test func `status fits on one screen and says what to do`() {
        var status = FakeControlService.sampleStatus
        status.holds = [FakeControlService.hold]
        status.holds[0].records = nil
        status.remote.stream = .down
        status.remote.lastError = "connection refused"
        status.remote.retryAt = Moment(milliseconds: AnswerTests.now.milliseconds + 3_000)
        status.pausedDirections = ["push"]
        status.collections["movies"]?.lastVerify = .init(
            at: FakeControlService.moment, differences: 3, found: ["differs": 2, "missingThere": 1], repaired: false)
        #expect(
            StatusAnswer(reply: status, now: AnswerTests.now).text(Style()) == """
                moviesync  0.1.0  running  paused: push
                node       00000000000000aa  pid 4711  started 5 s ago
                equal      not yet
                journal    /var/spool/moviesync/journal.jsonl
                           10 bytes behind  (3 lines, 100 bytes)
                remote     local http://127.0.0.1:9000
                           stream down, pushed 5 s ago
                           connection refused; next attempt in 3 s

                collection  records  pending  oldest  quarantine  conflicts  deleted
                movies            2        1     1 s           0          0        0
                movies was compared with the remote 5 s ago: differs: 2, not on the remote: 1

                hold 7: massDelete (movies, pull, since 5 s)
                  12 of 20 records would be deleted
                  moviesync approve 7   deletes these records here too
                  moviesync reject 7    keeps these records
                """
        )
    }

    @Test func `nodes are shown with how far behind they are`() {
        #expect(
            NodesAnswer(nodes: FakeControlService.nodes, now: AnswerTests.now).text(Style()) == """
                name          node              version  last seen  artists behind  movies behind
                attic (this)  00000000000000aa  0.1.0    5 s ago                 -            0 s
                cellar        00000000000000bb  0.0.9    never                 all            2 h
                """
        )
    }

    @Test func `a list is sorted by title and marks what was watched`() {
        let records = [FakeControlService.brazil, FakeControlService.alien]
        var answer = RecordsAnswer(schema: FakeControlService.movies, records: records)
        answer.ids = ShortIDs(of: records.map(\.id))
        #expect(
            answer.text(Style(width: 60)) == """
                ✓  title   id        year
                ✓  Alien   6F9619FF  1979
                ·  Brazil  6F000000        pending
                """
        )
    }

    @Test func `a long list is shown as it comes`() {
        var listing = RecordListing(FakeControlService.movies, RecordOrder(), style: Style(width: 80))
        let first = Array(repeating: FakeControlService.brazil, count: RecordListing.mostHeld)
        #expect(listing.take(first).isEmpty)
        let begun = listing.take([FakeControlService.alien]).split(separator: "\n")
        #expect(begun.count == RecordListing.mostHeld + 2)
        #expect(begun.first == "✓  title   id                                    year")
        #expect(begun.last == "✓  Alien   6F9619FF-8B86-4011-B42D-00C04FC964FF  1979")
        #expect(
            listing.take([FakeControlService.brazil])
                == "·  Brazil  6F000000-8B86-4011-B42D-00C04FC964FF        pending")
        #expect(listing.end().isEmpty)
    }

    @Test(arguments: [0, 1, 2])
    func `a list as JSON is the same page by page`(count: Int) throws {
        let records = Array([FakeControlService.brazil, FakeControlService.alien].prefix(count))
        var listing = ListingJSON()
        var text: [UInt8] = []
        for record in records { text += listing.take(try ControlJSON.text(record)) }
        text += listing.take([]) + listing.end()
        #expect(text == Array(try ControlJSON.text(Page(items: records))))
    }

    @Test func `groups are headed by their value`() {
        let records = [FakeControlService.brazil, FakeControlService.alien]
        let answer = RecordsAnswer(
            schema: FakeControlService.movies, records: records, order: RecordOrder(group: "hasWatched"))
        let lines = answer.text(Style()).split(separator: "\n")
        #expect(lines.first == "not watched (1)")
        #expect(lines.contains("watched (1)"))
    }

    @Test func `why tells what the remote has`() {
        let answer = WhyAnswer(
            reply: WhyReply(
                record: FakeControlService.brazil,
                fields: [
                    .init(
                        name: "title", value: "Brazil", stamp: "s", who: "app", at: FakeControlService.moment,
                        onRemote: false, remote: "Brasil")
                ], holds: [FakeControlService.hold], conflicts: [FakeControlService.conflict]),
            schema: FakeControlService.movies, now: AnswerTests.now)
        let text = answer.text(Style())
        #expect(text.contains("pending: the remote is down"))
        #expect(text.contains("The remote is not known to have it."))
        #expect(text.contains("title  Brazil  app     5 s ago  s      Brasil"))
        #expect(text.contains("moviesync approve 7"))
        #expect(text.contains("title=Aliens"))
    }

    @Test(arguments: [
        ("t", nil, "the remote has it; why\n\nThe remote has exactly this version."),
        ("t", true, "the remote had it; why\n\nThe remote was last known to have exactly this version."),
        ("s", true, "the remote had it; why\n\nThe remote was last known to have another version, with the stamp s."),
    ])
    func `what the remote has shown since is not what it has`(stamp: String, isOutdated: Bool?, words: String) {
        let record = RecordReply(
            collection: "movies", id: "A", fields: [:], stamp: "t", reason: "why",
            base: .init(stamp: stamp, etag: nil, isOutdated: isOutdated))
        let answer = WhyAnswer(
            reply: WhyReply(record: record, fields: []), schema: FakeControlService.movies, now: AnswerTests.now)
        #expect(answer.text(Style()) == "movies/A\n" + words)
    }

    @Test(arguments: [
        (false, nil, "deleted, on the remote too\n\nThe remote does not have the record any more."),
        (true, nil, "deleted, pending\n\nThe remote does not have the record, and is not told of the deletion yet."),
        (true, "s", "deleted, pending\n\nThe remote still has a version, with the stamp s."),
        (true, "", "deleted, pending\n\nThe remote still has a version without a stamp, written by an app."),
    ])
    func `why is at one with itself about a deleted record`(pending: Bool, stamp: String?, words: String) {
        var record = RecordReply(collection: "movies", id: "A", fields: [:], stamp: "t", deleted: true)
        record.pending = pending
        record.base = stamp.map { .init(stamp: $0.isEmpty ? nil : $0, etag: nil) }
        let answer = WhyAnswer(
            reply: WhyReply(record: record, fields: []), schema: FakeControlService.movies, now: AnswerTests.now)
        #expect(answer.text(Style()) == "movies/A\n" + words)
    }

    @Test(arguments: [
        (0, 0, "movies: 5 compared, verified: this node and the remote are equal"),
        (0, 1, "movies: 5 compared, the remote is as this node knows it; 1 record is not pushed yet"),
        (0, 4, "movies: 5 compared, the remote is as this node knows it; 4 records are not pushed yet"),
        (1, 4, "movies: 5 compared, differs: 1\n  4 records are not pushed yet\n  A  differs"),
    ])
    func `a comparison calls nothing equal that is not pushed`(differences: Int, pending: Int, words: String) {
        let items = differences > 0 ? [VerifyReply.Item(key: "A", what: "differs")] : []
        let reply = VerifyReply(collections: [
            .init(
                collection: "movies", at: AnswerTests.now, compared: 5, differences: differences, pending: pending,
                found: differences > 0 ? ["differs": differences] : [:], repaired: false, items: items)
        ])
        #expect(VerifyAnswer(reply: reply).text(Style()) == words)
    }

    @Test(
        arguments: [
            (false, nil, nil, "differs", .badData, ""),
            (true, nil, nil, "differs", nil, "\n  these are read again now"),
            (
                true, [7], nil, "differs", .notAllowed,
                "\n  these are read again now\n  those of hold 7 stay as they are until it is decided: "
                    + "moviesync approve 7, or reject 7"
            ),
            (
                true, nil, true, "differs", .tryAgain,
                "\n  these are read again when the pull is resumed: moviesync resume pull"
            ),
            (
                true, nil, nil, "strayKey", .badData,
                "\n  these are read again now\n  what can't be read, or is no record, stays until it is corrected or "
                    + "removed there"
            ),
        ] as [(Bool, [Int64]?, Bool?, String, CommandFailure.Code?, String)])
    func `a repair says what stays as it is`(
        repaired: Bool, holds: [Int64]?, isPaused: Bool?, kind: String, code: CommandFailure.Code?, words: String
    ) {
        var collection = VerifyReply.Collection(
            collection: "movies", at: AnswerTests.now, compared: 5, differences: 1, found: [kind: 1],
            repaired: repaired, items: [])
        (collection.holds, collection.isPaused) = (holds, isPaused)
        let reply = VerifyReply(collections: [collection])
        #expect(VerifyAnswer(reply: reply).text(Style()).hasSuffix("  and 1 more" + words))
        #expect(reply.failure == code)
    }

    @Test func `a list of any collection shows its columns in order, then what most records have`() {
        func book(_ id: String, _ fields: [String: JSONValue]) -> RecordReply {
            RecordReply(collection: "books", id: id, fields: fields, stamp: "")
        }
        let records = [
            book("B", ["name": "Emma", "author": "Austen", "isRead": true, "copies": 1, "shelf": 3]),
            book("A", ["name": "Dune", "isRead": false, "copies": 2]),
        ]
        let answer = RecordsAnswer(schema: FakeControlService.books, records: records)
        #expect(
            answer.text(Style()) == """
                ✓  name  id  author  copies  shelf
                ·  Dune  A           2
                ✓  Emma  B   Austen  1       3
                """
        )
        let grouped = RecordsAnswer(
            schema: FakeControlService.books, records: records, order: RecordOrder(group: "isRead"))
        #expect(
            grouped.text(Style()).split(separator: "\n").filter { $0.contains("(") } == ["not read (1)", "read (1)"])
        #expect(
            RecordAnswer(reply: records[0], schema: FakeControlService.books).text(Style())
                .split(separator: "\n").map { $0.prefix { $0 != " " } }
                == ["name", "author", "isRead", "copies", "shelf", "id", "collection", "stamp", "state"])
    }

    @Test(
        arguments: [
            ("movies", ["title": "Alien", "name": "x", "hasWatched": true], "  Alien ✓"),
            ("artists", ["title": "x", "name": "Air", "hasWatched": true], "  Air"),
            ("books", ["title": "x", "name": "Emma", "isRead": false], "  Emma ·"),
            ("comics", ["title": "x"], "journal"),
        ] as [(String, [String: JSONValue], String)])
    func `a change is called what its collection calls it`(
        collection: String, fields: [String: JSONValue], end: String
    ) {
        let schemas = [FakeControlService.movies, FakeControlService.artists, FakeControlService.books]
        var change = FakeControlService.change(1)
        (change.collection, change.fields) = (collection, fields)
        let answer = ChangeAnswer(
            reply: change, schemas: Dictionary(uniqueKeysWithValues: schemas.map { ($0.name, $0) }))
        #expect(answer.text(Style()).hasSuffix(end))
    }

    @Test(arguments: [
        ("alien", "title~alien"), ("hasWatched=true", "hasWatched=true"), ("a=b,c~d", "a=b,c~d"),
        ("Crouching Tiger, Hidden", #"title~Crouching Tiger\, Hidden"#), ("What = love", "title~What = love"),
        ("a=b,c", #"title~a=b\,c"#),
    ])
    func `a filter without a field looks at the title`(text: String, expected: String) {
        #expect(ListCommand.filter(text, of: FakeControlService.movies).description == expected)
    }

    @Test func `a list has marks for favourites only where there are any`() {
        let records = [
            RecordReply(collection: "movies", id: "A", fields: ["title": "Alien", "tmdbID": 348], stamp: "s"),
            RecordReply(collection: "movies", id: "B", fields: ["title": "Brazil", "tmdbID": 0], stamp: "s"),
        ]
        var answer = RecordsAnswer(schema: FakeControlService.movies, records: records)
        #expect(!answer.text(Style()).contains("♥"))
        answer.favourites = ["348", "B"]
        #expect(answer.text(Style()).split(separator: "\n").map { $0.contains("♥") } == [true, true, true])
        answer.favourites = ["0"]
        #expect(answer.text(Style()).split(separator: "\n").map { $0.contains("♥") } == [true, false, false])
    }
}
