import Catalogs
import PluginKit
import SyncModel
import Testing

struct AudioDBTests {
    private let catalog = AudioDB()
    private let query = CatalogQuery(.search("John Williams"), language: "ja", today: "2026-11-22")

    private func answer(_ text: String, status: Int = 200) -> CatalogAnswer {
        CatalogAnswer(status: status, body: Array(text.utf8))
    }

    @Test func `one's own key is not shown, the free one is no secret`() throws {
        #expect(
            try catalog.request(for: query, key: "s3cret").shown
                == "www.theaudiodb.com/api/v1/json/…/search.php?s=John Williams")
        #expect(
            try catalog.request(forDetails: "113786", language: "en", key: nil).shown
                == "www.theaudiodb.com/api/v1/json/123/artist.php?i=113786")
        #expect(throws: CatalogError.self) { try catalog.request(forDetails: "a/b", language: "en", key: nil) }
    }

    @Test func `two artists of one name are two, and an unknown year is none`() throws {
        let page = try catalog.page(
            of: query,
            in: answer(
                """
                {"artists":[{"idArtist":"113786","strArtist":"John Williams","intFormedYear":null,"strGenre":""},
                {"idArtist":"123064","strArtist":"John Williams\\u200e","intFormedYear":"1958",
                "strBiographyEN":"English","strBiographyJP":"Japanese","strMusicBrainzID":"mb",
                "strArtistThumb":"https://r2.theaudiodb.com/a.jpg","strArtistLogo":"http://plain"},
                {"idArtist":"3","strArtist":"Zero","intFormedYear":"0","strBiographyDE":"Deutsch"},{"idArtist":null}]}
                """))
        #expect(page.rows.map(\.key) == ["113786", "123064", "3"] && page.skipped == 1 && page.next == nil)
        #expect(page.rows[0].fields == ["name": "John Williams"])
        #expect(
            page.rows[1].fields == ["name": "John Williams", "yearFormed": 1958, "biography": "Japanese"])
        #expect(page.rows[1].ids == ["audiodb": "123064", "musicbrainz": "mb"] && page.rows[1].images.count == 1)
        #expect(page.rows[2].fields == ["name": "Zero", "biography": "Deutsch"])
    }

    @Test func `null is nobody, and a key that may not see is not said to prove that there is none`() throws {
        #expect(try catalog.page(of: query, in: answer(#"{"artists":null}"#)).rows.isEmpty)
        let error = #expect(throws: CatalogError.self) {
            try catalog.details(of: "1", language: "en", in: answer(#"{"artists":null}"#))
        }
        #expect(error?.code == .notFound && error?.message.contains("to this key") == true)
    }

    @Test(arguments: ["", "<html>", "[]", "{}", #"{"artists":{}}"#])
    func `anything else is not an answer`(text: String) {
        let error = #expect(throws: CatalogError.self) { try catalog.page(of: query, in: answer(text)) }
        #expect(error?.code == .unavailable)
    }
}
