import ControlAPI
import ControlTestSupport
import Foundation
import SyncModel
import TestSupport
import Testing

@testable import ControlCommands

@Suite(.inTurn, .timeLimit(.minutes(1))) struct CatalogToolTests {
    @Test(arguments: [
        (["1", "3", "5-7"], [1, 3, 5, 6, 7]), (["3,1", "1-2"], [3, 1, 2]), (["2-2"], [2]),
    ])
    func `rows are numbers and spans`(words: [String], numbers: [Int]) throws {
        #expect(try RowNumbers.read(words) == numbers)
    }

    @Test(arguments: ["x", "0", "-1", "3-1", "1-", "1-2-3", "1-100000", "99999999999999999999"])
    func `what is no row is refused`(word: String) {
        let failure = #expect(throws: CommandFailure.self) { try RowNumbers.read([word]) }
        #expect(failure?.code == .usage)
    }

    @Test(arguments: [("tmdb:348", "tmdb", "348"), ("shelf:a:b/c", "shelf", "a:b/c")])
    func `an item has a catalog and a key`(text: String, catalog: String, key: String) {
        let item = CatalogItemName(text)
        #expect(item?.catalog == catalog && item?.key == key)
        #expect(item?.path.hasSuffix("/items/\(key.pathPart)") == true)
        #expect(item?.film == (catalog == "tmdb" ? key : text))
        #expect(CatalogItemName("6F9619FF") == nil && CatalogItemName(":1") == nil && CatalogItemName("a:") == nil)
    }

    @Test func `a path has one part for a key`() {
        #expect("348".pathPart == "348" && "../é".pathPart == "..%2F%C3%A9" && "..".pathPart == "%2E.")
    }

    @Test func `rows have numbers, stars and words for what is missing`() {
        let text = CatalogSetAnswer(reply: FakeCatalogService.set, schema: FakeControlService.movies).text(Style())
        #expect(
            text == """
                #     title      year
                1  *  Alien      1979
                2     Alien [2J  no year
                2 of 660 found; * is in the library
                1 row came twice and is shown once
                2 rows of the source could not be read
                moviesync search --more shows the next page
                This product uses the TMDB API but is not endorsed or certified by TMDB.
                """)
        #expect(!text.contains("null") && !text.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("abba", "Second"), ("ABBA0000", "First"), ("ABBA0000-0000-4000-8000-000000000000", "First"),
            ("Third", "Third"),
        ])
    func `an artist is shown by the name first, then by the id`(text: String, biography: String) async throws {
        let artists = [
            ("ABBA0000-0000-4000-8000-000000000000", "Zed", "First"),
            ("00000000-0000-4000-8000-000000000001", "ABBA", "Second"),
            ("00000000-0000-4000-8000-000000000002", "The Third One", "Third"),
        ].map { id, name, biography in
            RecordReply(
                collection: "artists", id: id, fields: ["name": .string(name), "biography": .string(biography)],
                stamp: "s")
        }
        var state = FakeControlService.State()
        state.records = artists
        try await withServedSocket(FakeControlService(state)) { socket in
            let run = try await moviesync(["artist", "show", text], socket: socket)
            #expect(run.exitCode == 0 && run.output.contains("biography   \(biography)"), "\(run.output)")
        }
    }

    @Test func `a saved artist says what is missing`() {
        let artist = RecordReply(
            collection: "artists", id: "A", fields: ["name": "John Williams", "yearFormed": .null], stamp: "s")
        let text = RecordAnswer(reply: artist, schema: FakeControlService.artists).text(Style())
        #expect(text.contains("yearFormed  year formed not available\nbiography   no biography in the database\n"))
        let gone = RecordReply(collection: "artists", id: "A", fields: [:], stamp: "s", deleted: true)
        #expect(!RecordAnswer(reply: gone, schema: FakeControlService.artists).text(Style()).contains("available"))
    }

    @Test func `an empty set says so`() {
        var set = FakeCatalogService.set
        (set.rows, set.held, set.more, set.total) = ([], 0, false, 0)
        (set.duplicatesDropped, set.skipped, set.attribution) = (0, 0, nil)
        #expect(CatalogSetAnswer(reply: set, schema: FakeControlService.movies).text(Style()) == "nothing found")
    }

    @Test func `saving is one append, of what is not there`() async throws {
        let catalogs = FakeCatalogService()
        try await withTemporaryFolder { folder in
            try await withServedSocket(FakeControlService.full(), catalogs: catalogs) { socket in
                let journal = "\(folder)/journal.jsonl"
                let run = try await moviesync(
                    ["save", "1", "2-3", "--watched", "--field", "note=x", "--journal", journal], socket: socket)
                #expect(run.exitCode == 0, "\(run.complaint)")
                #expect(
                    run.lines == [
                        "6F9619FF-8B86-5011-B42D-00C04FC964F1  Film 1: in the library already",
                        "6F9619FF-8B86-5011-B42D-00C04FC964F2  Film 2", "6F9619FF-8B86-5011-B42D-00C04FC964F3  Film 3",
                    ])
                let written = try lines(of: journal)
                #expect(written.count == 2)
                #expect(
                    written.allSatisfy {
                        $0.contains(#""op":"create""#) && $0.contains(#""hasWatched":true,"note":"x","title":"Film"#)
                    })
            }
        }
    }

    @Test(
        arguments: [
            (["search"], 64), (["search", "a", "--more"], 64), (["catalog", "list", "popular", "--twice"], 64),
            (["catalog", "list", "popular", "--pages", "0"], 64), (["save"], 64), (["save", "x"], 64),
            (["search", "a", "--catalog", "imdb"], 65), (["catalog", "list", "best"], 64), (["artist"], 0),
            (["about"], 0), (["catalog"], 0), (["catalog", "home"], 0), (["show", "tmdb:348"], 0),
            (["search", "--more"], 0), (["search", "--filter", "x"], 0), (["search", "a", "b"], 0),
        ])
    func `each command ends with its code, and says why in a line`(arguments: [String], code: Int) async throws {
        try await withServedSocket(FakeControlService.full(), catalogs: FakeCatalogService()) { socket in
            for json in [[], ["--json"]] where arguments != ["artist"] || json.isEmpty {
                let run = try await moviesync(arguments + json, socket: socket)
                #expect(run.exitCode == code, "\(run.complaint)")
                if code == 0, !json.isEmpty {
                    _ = try ControlJSON.read(JSONValue.self, from: Data(run.output.utf8))
                }
            }
        }
    }

    @Test func `the catalogs and an item are shown`() async throws {
        try await withServedSocket(FakeControlService.full(), catalogs: FakeCatalogService()) { socket in
            let list = try await moviesync(["catalog"], socket: socket)
            #expect(list.output.contains("tmdb: tmdb asks for fewer requests; asked again "))
            let item = try await moviesync(["show", "tmdb:348"], socket: socket)
            for line in [
                "title      Alien", "year       no year", "overview   no overview in the database",
                "library    not in it", "picture 1  poster  https://image.tmdb.org/t/p/original/a.jpg",
                "pictures   only 1 in the database", "the source can't be asked now: this is what it said before",
            ] {
                #expect(item.lines.contains { $0 == line }, "\(line)\n\(item.output)")
            }
            let live = try await moviesync(["search", "--live", "--json"], socket: socket)
            #expect(live.exitCode == 0 && live.output.contains(#""search":"1ive""#))
            let about = try await moviesync(["about"], socket: "/nonexistent")
            #expect(about.output.contains("This product uses the TMDB API but is not endorsed or certified by TMDB."))
            #expect(about.output.contains("CC BY-NC 4.0"))
        }
    }
}
