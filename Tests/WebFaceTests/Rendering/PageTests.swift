import ControlAPI
import ControlTestSupport
import SyncModel
import Testing

@testable import WebFace

struct PageTests {
    /// A text as somebody would write it who wants more than to be read.
    private static let evil = "<script>x</script><img src=x onerror=x>\" autofocus onfocus=x '&"

    private static let moment = Moment(milliseconds: 1_795_205_704_120)
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private static let reader = Reader(
        person: evil, mayChange: true, address: "/?filter=\"><img src=x>", collections: ["movies", "reviews", "votes"])

    private static let film = RecordReply(
        collection: "movies", id: id,
        fields: [
            "title": .string(evil), "hasWatched": true, "year": 1979, "posterPath": .string("/\"><img>"),
            evil: .string(evil),
        ], stamp: evil, pending: true, reason: evil)

    private static let profile = RecordReply(
        collection: "profiles", id: id,
        fields: ["uid": .string("b" + evil), "name": .string(evil), "bio": .string(evil)], stamp: evil)

    private static let filmPage = FilmPage(
        reader: reader,
        why: WhyReply(
            record: film,
            fields: [
                .init(
                    name: evil, value: .string(evil), stamp: evil, who: evil, at: moment, onRemote: false,
                    remote: .object([evil: .string(evil)]))
            ], holds: [hold], quarantine: [item], conflicts: [conflict]),
        history: HistoryReply(
            collection: "movies", id: id,
            items: [
                .init(
                    seq: 1, at: moment, op: evil, who: evil, origin: evil, stamp: evil, rule: evil,
                    fields: [.init(name: evil, before: .string(evil), after: nil, who: "another")])
            ], next: evil, complete: false, keptSince: moment),
        schema: CollectionSchema(name: "movies", titleField: "title", columns: ["title"]),
        reviews: ReviewReply.all(
            [
                RecordReply(
                    collection: "reviews", id: id,
                    fields: [
                        "film": "348", "uid": .string("b" + evil), "name": .string(evil), "text": .string(evil),
                        "rating": 9, "at": 1, "edited": 2,
                    ], stamp: "")
            ], votes: []), profiles: ["b" + evil: profile], isFavourite: true, votes: ["b" + evil: 1])

    private static let hold = HoldReply(
        id: 7, kind: evil, collection: evil, direction: .pull, reason: evil, since: moment, approve: evil, reject: evil,
        count: 200,
        records: [
            HeldRecordReply(collection: evil, id: id, title: evil, what: .init(approve: evil, reject: evil))
        ])
    private static let item = QuarantineReply(
        id: 8, source: .push, collection: evil, record: evil, code: evil, reason: evil, since: moment)
    private static let conflict = ConflictReply(
        id: 9, collection: "movies", record: id, at: moment, rule: evil, fields: [evil],
        winner: .init(stamp: nil, node: nil, fields: [evil: .string(evil)]),
        loser: .init(stamp: nil, node: nil, fields: [:], deleted: true))

    private static var catalog: CatalogReply {
        var catalog = CatalogReply(
            name: evil, title: evil, collection: "movies", lists: [evil], searches: true, state: .limited)
        catalog.reason = evil
        catalog.attribution = evil
        return catalog
    }

    private static var status: StatusSnapshot {
        var status = StatusSnapshot(
            version: evil, node: evil, pid: 1, startedAt: moment, state: .running, journal: JournalStatus(path: evil),
            collections: [evil: CollectionStatus(records: 2, pending: 1, oldestPendingSeconds: 1.5)],
            remote: RemoteStatus(plugin: evil, url: evil, stream: .down, lastError: evil))
        status.health = HealthReport(level: .warning, reasons: [evil])
        return status
    }

    private static let tally = {
        var tally = ReviewTally()
        tally.add(["film": .string(PersonFields.film(film)), "rating": 9])
        return tally
    }()

    private static let full: [WebPage] = [
        LibraryPage(
            reader: reader, view: LibraryView(Query("filter=%3Cimg%3E%22&show=watched&from=2")),
            slices: [
                .init(section: .unwatched, count: 300, from: 1, films: [RecordID(id)].compactMap(\.self)),
                .init(section: .watched, count: 1, from: 1, films: []),
            ], films: Dictionary(uniqueKeysWithValues: [RecordID(id)].compactMap { $0.map { ($0, film) } }),
            reviews: tally, favourites: [PersonFields.film(film)], titleField: "title"
        ).page,
        filmPage.page, StatusPage(status: status, catalogs: [catalog]).page,
        AttentionPage(
            reader: reader, holds: [hold], quarantine: [item], conflicts: [conflict], next: (evil, evil)
        ).page,
        SearchPage(
            reader: reader, catalogs: [catalog], chosen: evil, query: evil, year: evil,
            found: CatalogSetReply(
                set: evil, catalog: evil, collection: "movies", query: evil, list: nil,
                rows: [
                    CatalogRowReply(
                        number: 1, key: evil, fields: ["title": .string(evil), "overview": .string(evil)], ids: [:],
                        record: nil,
                        picture: CatalogPictureReply(kind: "poster", url: "https://x/\"><img>", sizes: [:]))
                ], held: 1, total: nil, more: true, stale: true, attribution: evil)
        ).page,
        FavouritesPage(
            reader: reader, profile: profile,
            favourites: FavouriteReply.all([
                RecordReply(
                    collection: "favourites", id: id,
                    fields: ["uid": "anna", "film": .string(evil), "title": .string(evil), "at": 1], stamp: "")
            ]), films: [:]
        ).page,
        AboutPage(reader: reader, version: evil, catalogs: [catalog]).page,
        .message(evil, evil, way: ("/", evil)),
    ]

    @Test(arguments: full.indices)
    func `what others wrote is text everywhere`(index: Int) async throws {
        let page = PageTests.full[index]
        let status = PageTests.status
        let frame = Frame(templates: try Templates(), status: { status }, wall: { 1_795_205_704_120 })
        let text = await frame.whole(page, sequence: 7, notice: PageTests.evil)
        #expect(text.contains("&lt;script&gt;"))
        #expect(!text.contains("<script>"))
        #expect(!text.contains("<img src=x"))
        #expect(!text.contains("\"><img"))
        #expect(!text.contains("\" autofocus"))
        // What is inside of attributes ends where they end.
        #expect(text.matches(of: /="[^"<>]*[<>]/).isEmpty)
    }

    @Test func `a favourite has a mark in the library and in what is found`() async throws {
        let templates = try Templates()
        let status = PageTests.status
        let frame = Frame(templates: templates, status: { status }, wall: { 1_795_205_704_120 })
        #expect(await frame.whole(PageTests.full[0], sequence: 1, notice: nil).contains("♥"))
        #expect(await !frame.whole(PageTests.empty[0], sequence: 1, notice: nil).contains("♥"))
        let row = CatalogRowReply(
            number: 1, key: "348", fields: ["title": "Alien"], ids: ["tmdb": "348"], record: nil, picture: nil)
        let set = CatalogSetReply(
            set: "s", catalog: "tmdb", collection: "movies", query: "a", list: nil, rows: [row], held: 1, total: 1,
            more: false)
        for (favourites, isMarked) in [(Set(["348"]), true), (["349"], false)] {
            let page = SearchPage(
                reader: PageTests.nobody, catalogs: [], chosen: nil, query: "a", year: "",
                found: try await set.marked(by: favourites, FakeControlService())
            ).page
            #expect(await frame.whole(page, sequence: 1, notice: nil).contains("♥") == isMarked)
        }
    }

    @Test func `a film of the library shows how it is reviewed`() async throws {
        let status = PageTests.status
        let frame = Frame(templates: try Templates(), status: { status }, wall: { 1_795_205_704_120 })
        #expect(await frame.whole(PageTests.full[0], sequence: 1, notice: nil).contains("1 review, 9.0 of 10"))
    }

    @Test(arguments: [(1979, true), (1500, false), (nil, true)] as [(JSONValue?, Bool)])
    func `the field of a year takes the one that stands there`(year: JSONValue?, isLimited: Bool) async throws {
        var film = PageTests.film
        film.fields["year"] = year
        let (shown, status) = (PageTests.filmPage, PageTests.status)
        let page = FilmPage(
            reader: shown.reader, why: WhyReply(record: film, fields: []), history: shown.history, schema: shown.schema,
            reviews: nil, profiles: [:], isFavourite: nil, votes: [:])
        let frame = Frame(templates: try Templates(), status: { status }, wall: { 1_795_205_704_120 })
        let text = await frame.whole(page.page, sequence: 1, notice: nil)
        #expect(text.contains(#"name="year" type="number" min="1800""#) == isLimited)
        #expect(text.contains(#"name="year" type="number""#))
    }

    private static let nobody = Reader(person: "local", mayChange: false, address: "/", collections: [])

    private static let empty: [WebPage] = [
        LibraryPage(
            reader: nobody, view: LibraryView(Query("")), slices: LibraryView(Query("")).slices(of: ShelfList()),
            films: [:], reviews: nil, favourites: [], titleField: "title"
        ).page,
        FilmPage(
            reader: nobody,
            why: WhyReply(
                record: RecordReply(collection: "movies", id: id, fields: [:], stamp: "s", deleted: true), fields: []),
            history: HistoryReply(
                collection: "movies", id: id, items: [], next: nil, complete: true, keptSince: nil),
            schema: CollectionSchema(name: "movies", titleField: "title", columns: []), reviews: nil,
            profiles: [:], isFavourite: nil, votes: [:]
        ).page,
        AttentionPage(reader: nobody, holds: [], quarantine: [], conflicts: [], next: (nil, nil)).page,
        SearchPage(reader: nobody, catalogs: [], chosen: nil, query: "", year: "", found: nil).page,
        FavouritesPage(reader: nobody, profile: nil, favourites: nil, films: [:]).page,
        AboutPage(reader: nobody, version: "1", catalogs: []).page,
    ]

    @Test(arguments: empty.indices)
    func `a page without anything offers nothing to change`(index: Int) async throws {
        let status = PageTests.status
        let frame = Frame(templates: try Templates(), status: { status }, wall: { 0 })
        let text = await frame.whole(PageTests.empty[index], sequence: 0)
        #expect(!text.contains("method=\"post\""))
        #expect(text.contains("<h1 id=\"title\""))
        #expect(text.hasSuffix("</html>\n"))
    }

    @Test
    func `one part is what the whole page has of it`() async throws {
        let status = PageTests.status
        let frame = Frame(templates: try Templates(), status: { status }, wall: { 0 })
        let whole = await frame.whole(PageTests.filmPage.page, sequence: 0)
        for id in ["line", "title", "film", "reviews", "history"] {
            let part = try #require(await frame.part(id, of: PageTests.filmPage.page))
            #expect(whole.contains(part))
        }
        #expect(await frame.part("nothing", of: PageTests.filmPage.page) == nil)
    }
}
