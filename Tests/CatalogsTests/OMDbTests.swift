import Catalogs
import PluginKit
import SyncModel
import Testing

struct OMDbTests {
    private let catalog = OMDb()
    private let query = CatalogQuery(.search("alien"), year: 1979, today: "2026-11-22")

    private func answer(_ text: String, status: Int = 200) -> CatalogAnswer {
        CatalogAnswer(status: status, body: Array(text.utf8))
    }

    @Test func `requests are these, without the key where they are shown`() throws {
        let request = try catalog.request(for: query, key: "k3y")
        #expect(request.shown == "www.omdbapi.com/?s=alien&type=movie&page=1&y=1979&r=json&v=1")
        #expect(request.query.last.map { $0 == ("apikey", "k3y") } == true)
        let details = try catalog.request(forDetails: "tt0078748", language: "en", key: "k3y")
        #expect(details.shown == "www.omdbapi.com/?i=tt0078748&plot=full&r=json&v=1")
        for item in ["tt", "0078748", "tt1&s=x", ""] {
            #expect(throws: CatalogError.self) { try catalog.request(forDetails: item, language: "en", key: "k") }
        }
        #expect(throws: CatalogError.self) { try catalog.request(for: query, key: nil) }
    }

    @Test func `strings are read as what they mean`() throws {
        let page = try catalog.page(
            of: query,
            in: answer(
                """
                {"Search":[{"Title":"Alien","Year":"1979","imdbID":"tt0078748","Type":"movie","Poster":"N/A"},
                {"Title":"Show","Year":"2011–","imdbID":"tt2","Poster":"http://ia.media-imdb.com/a.jpg"},
                {"Title":"N/A","imdbID":"tt3"},{"Title":"No id"}],"totalResults":"1,123","Response":"True"}
                """))
        #expect(page.rows.map(\.key) == ["tt0078748", "tt2"] && page.skipped == 2)
        #expect(page.rows[0].fields == ["title": "Alien", "imdbID": "tt0078748", "year": 1979])
        #expect(page.rows[1].fields["year"] == 2011)
        #expect(page.rows[1].images.map(\.url) == ["https://ia.media-imdb.com/a.jpg"])
        #expect(page.total == 1123 && page.next == "2" && page.isTruncated)
    }

    @Test func `details leave out what is not known`() throws {
        let row = try catalog.details(
            of: "tt0078748", language: "en",
            in: answer(
                """
                {"Title":"Alien","Year":"1979","Runtime":"117 min","Genre":"Horror, Sci-Fi","Director":"N/A",
                "Plot":"N/A","imdbID":"tt0078748","Response":"True"}
                """))
        #expect(
            row.fields == [
                "title": "Alien", "year": 1979, "imdbID": "tt0078748", "runtime": 117,
                "genres": .array(["Horror", "Sci-Fi"]),
            ])
    }

    @Test func `nothing found is an empty page`() throws {
        let page = try catalog.page(of: query, in: answer(#"{"Response":"False","Error":"Movie not found!"}"#))
        #expect(page == CatalogPage(rows: [], total: 0))
    }

    @Test(arguments: [
        (200, #"{"Response":"False","Error":"Too many results."}"#, CatalogError.Code.refused),
        (200, #"{"Response":"False","Error":"Incorrect IMDb ID."}"#, .refused),
        (200, #"{"Response":"False","Error":"Something went wrong."}"#, .unavailable),
        (401, #"{"Response":"False","Error":"Request limit reached!"}"#, .limited),
        (401, #"{"Response":"False","Error":"Invalid API key!"}"#, .unauthorized),
        (401, #"{"Response":"False","Error":"No API key provided."}"#, .unauthorized),
        (200, "<html>", .unavailable), (503, "{}", .unavailable), (200, #"{"Response":"True"}"#, .unavailable),
        (401, "<html>", .unauthorized), (429, "", .limited), (404, "<html>", .unavailable),
    ])
    func `a failure is told by its text`(status: Int, text: String, code: CatalogError.Code) {
        let error = #expect(throws: CatalogError.self) { try catalog.page(of: query, in: answer(text, status: status)) }
        #expect(error?.code == code)
    }
}
