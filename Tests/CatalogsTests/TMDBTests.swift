import Catalogs
import PluginKit
import SyncModel
import Testing

struct TMDBTests {
    private let catalog = TMDB()
    private static let key = String(repeating: "0a", count: 16)
    private static let today = "2026-11-22"

    private func query(_ subject: CatalogQuery.Subject, page: String? = nil, year: Int? = nil) -> CatalogQuery {
        CatalogQuery(subject, page: page, year: year, language: "de-DE", region: "de", today: Self.today)
    }

    @Test(
        arguments: [
            (
                CatalogQuery.Subject.search("Amélie & co"), "2",
                "api.themoviedb.org/3/search/movie?language=de-DE&page=2&region=DE&query=Amélie & co&include_adult=false"
            ),
            (.list("popular"), nil, "api.themoviedb.org/3/movie/popular?language=de-DE&page=1&region=DE"),
            (.list("now-playing"), "500", "api.themoviedb.org/3/movie/now_playing?language=de-DE&page=500&region=DE"),
            (.list("top-rated"), nil, "api.themoviedb.org/3/movie/top_rated?language=de-DE&page=1&region=DE"),
            (.list("upcoming"), nil, "api.themoviedb.org/3/movie/upcoming?language=de-DE&page=1&region=DE"),
            (
                .list("recent"), nil,
                "api.themoviedb.org/3/discover/movie?language=de-DE&page=1&region=DE&sort_by=primary_release_date.desc"
                    + "&primary_release_date.lte=2026-11-22&vote_count.gte=1&include_adult=false"
            ),
        ] as [(CatalogQuery.Subject, String?, String)])
    func `a request is this one`(subject: CatalogQuery.Subject, page: String?, expected: String) throws {
        let request = try catalog.request(for: query(subject, page: page), key: Self.key)
        #expect(request.shown == expected)
        #expect(request.query.last.map { $0.name == "api_key" && $0.value == Self.key } == true)
        #expect(request.headers.isEmpty)
    }

    @Test func `a token goes into a header, and the credential is shown nowhere`() throws {
        for key in [Self.key, "eyJhbGciOi.J9.x"] {
            let request = try catalog.request(for: query(.list("popular")), key: key)
            #expect(!request.shown.contains(key))
            #expect(request.query.contains { $0.value == key } == (key == Self.key))
            #expect(request.headers.contains { $0 == ("Authorization", "Bearer " + key) } == (key != Self.key))
        }
        #expect(throws: CatalogError.self) { try catalog.request(for: query(.list("popular")), key: nil) }
    }

    @Test(arguments: [
        CatalogQuery.Subject.search(" "), .search(""), .list("best"), .list("recent/../1"),
    ])
    func `what can't be asked is refused before it is sent`(subject: CatalogQuery.Subject) {
        let error = #expect(throws: CatalogError.self) { try catalog.request(for: query(subject), key: Self.key) }
        #expect(error?.code == .refused)
    }

    @Test(arguments: ["0", "501", "-1", "x", "1.5", ""]) func `there are 500 pages`(page: String) {
        let error = #expect(throws: CatalogError.self) {
            try catalog.request(for: query(.list("popular"), page: page), key: Self.key)
        }
        #expect(error?.code == .refused)
    }

    @Test(arguments: ["", "../movie", "12a", "１２", "-1"]) func `foreign text never goes into a path`(item: String) {
        #expect(throws: CatalogError.self) {
            try catalog.request(forDetails: item, language: "en", key: Self.key)
        }
    }

    @Test func `details come with pictures and ids in one request`() throws {
        let request = try catalog.request(forDetails: "550", language: "de-DE", key: Self.key)
        #expect(
            request.shown == "api.themoviedb.org/3/movie/550?language=de-DE&append_to_response=images,external_ids"
                + "&include_image_language=de,en,null")
        let english = try catalog.request(forDetails: "550", language: "en", key: Self.key)
        #expect(english.query.contains { $0 == ("include_image_language", "en,null") })
    }

    // MARK: Answers

    private func page(_ text: String, status: Int = 200, page: String? = nil) throws(CatalogError) -> CatalogPage {
        try catalog.page(
            of: query(.list("popular"), page: page), in: CatalogAnswer(status: status, body: Array(text.utf8)))
    }

    @Test func `what is not known is no field, and a bad row is counted`() throws {
        let page = try page(
            """
            {"page":1,"total_pages":40000,"total_results":800000,"new":{},"results":[
            {"id":1,"title":"A","release_date":"","overview":"","poster_path":null,"softcore":false},
            {"id":2,"title":" B ","original_title":"Bé","release_date":"1999-10-15","backdrop_path":"/b.jpg"},
            {"id":3,"release_date":"1999-10-15"},{"title":"no id"},7,{"id":4,"title":""},{"id":"5","title":"text"}]}
            """)
        #expect(page.rows.map(\.key) == ["1", "2"] && page.skipped == 5 && page.isTruncated && page.next == "2")
        #expect(page.rows[0].fields == ["title": "A", "tmdbID": 1] && page.rows[0].images.isEmpty)
        #expect(
            page.rows[1].fields == [
                "title": "B", "tmdbID": 2, "year": 1999, "originalTitle": "Bé", "backdropPath": "/b.jpg",
            ])
        let image = try #require(page.rows[1].images.first)
        #expect(image.url == "https://image.tmdb.org/t/p/original/b.jpg")
        #expect(image.url(width: 301) == "https://image.tmdb.org/t/p/w780/b.jpg")
        #expect(image.url(width: 2000) == image.url)
    }

    @Test(
        arguments: [("1", 1, nil), ("1", 2, "2"), ("2", 2, nil), ("499", 9000, "500"), ("500", 9000, nil)]
            as [(String, Int, String?)])
    func `the walk ends with the last page`(number: String, pages: Int, next: String?) throws {
        let text = #"{"page":\#(number),"total_pages":\#(pages),"results":[]}"#
        #expect(try page(text, page: number).next == next)
    }

    @Test(arguments: [
        (401, #"{"status_code":7,"status_message":"Invalid API key","success":false}"#, CatalogError.Code.unauthorized),
        (404, #"{"status_code":34,"status_message":"The resource could not be found."}"#, .notFound),
        (400, #"{"status_code":22,"status_message":"Invalid page","success":false}"#, .refused),
        (422, #"{"errors":["query must be provided"]}"#, .refused),
        (200, #"{"success":false,"status_message":"Invalid id"}"#, .refused),
        (429, #"{"status_code":25}"#, .limited), (503, "{}", .unavailable), (200, "<html>busy</html>", .unavailable),
        (429, "<html>busy</html>", .limited), (401, "<html>who?</html>", .unauthorized), (404, "<html>", .unavailable),
        (200, "", .unavailable), (200, "{}", .unavailable), (200, #"{"results":null}"#, .unavailable),
    ])
    func `an answer without a page says why`(status: Int, text: String, code: CatalogError.Code) {
        let error = #expect(throws: CatalogError.self) { try page(text, status: status) }
        #expect(error?.code == code)
    }

    @Test func `half a pair of surrogates costs nobody the page`() throws {
        let page = try page(
            #"{"results":[{"id":1,"title":"cut \ud83d"},{"id":2,"title":"\udE00\\ud83d \ud83d\uDE00 \ud83d\n"}]}"#)
        let titles = page.rows.compactMap { $0.fields["title"]?.text }
        #expect(titles == ["cut \u{FFFD}", "\u{FFFD}\\ud83d 😀 \u{FFFD}"])
    }

    @Test(arguments: ["{}", "<html>slow down</html>"]) func `a source may ask for a minute at most`(text: String) {
        for (asked, expected) in [(nil, 10), (0, 1), (7, 7), (86_400, 60)] as [(Int?, Int)] {
            let answer = CatalogAnswer(status: 429, body: Array(text.utf8), retryAfter: asked)
            let error = #expect(throws: CatalogError.self) { try catalog.page(of: query(.list("popular")), in: answer) }
            #expect(error?.retryAfter == expected)
        }
    }

    @Test func `pictures are ordered by language, the film's own first`() throws {
        let text = """
            {"id":1,"title":"A","poster_path":"/own.jpg","backdrop_path":"/wide.jpg","runtime":0,"imdb_id":null,
            "external_ids":{"imdb_id":"tt1","wikidata_id":null},"images":{"posters":[
            {"file_path":"/fr.jpg","iso_639_1":"fr"},{"file_path":"/none.jpg","iso_639_1":null},
            {"file_path":"/en.jpg","iso_639_1":"en"},{"file_path":"/de.jpg","iso_639_1":"de"},
            {"file_path":"/own.jpg","iso_639_1":"en"},{"file_path":"//host/../x"},{"file_path":"x.jpg"}],
            "backdrops":[{"file_path":"/text.jpg","iso_639_1":"de"},{"file_path":"/plain.jpg"}]}}
            """
        let row = try catalog.details(
            of: "1", language: "de-AT", in: CatalogAnswer(status: 200, body: Array(text.utf8)))
        let paths = row.images.map { $0.url.split(separator: "/").last.map(String.init) ?? "" }
        #expect(
            paths == [
                "own.jpg", "de.jpg", "en.jpg", "none.jpg", "fr.jpg", "wide.jpg", "plain.jpg", "text.jpg",
            ])
        #expect(row.ids == ["tmdb": "1", "imdb": "tt1"] && row.fields["runtime"] == nil)
    }
}
