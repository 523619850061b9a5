import ControlAPI
import SyncModel
import Testing

/// What stands for films in keys.
struct PersonFieldsTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private static func movie(_ fields: [String: JSONValue]) -> RecordReply {
        RecordReply(collection: "movies", id: id, fields: fields, stamp: "")
    }

    @Test(
        arguments: [
            ([:], [id]), (["tmdbID": 348], ["348", id]), (["tmdbID": 0], [id]), (["tmdbID": "x"], [id]),
            (["ids": ["tmdb": "348"]], ["348", id]), (["ids": ["tmdb": 348], "tmdbID": 7], ["348", id]),
            (["imdbID": "tt0078748"], ["omdb:tt0078748", id]),
            (["ids": ["imdb": "tt0078748"], "tmdbID": 348], ["348", "omdb:tt0078748", id]),
            (["ids": ["tmdb": "", "imdb": ""]], [id]), (["imdbID": "a/b"], [id]), (["imdbID": 7], [id]),
        ] as [([String: JSONValue], [String])])
    func `a film has its number first, then its name in a catalog, then its id`(
        fields: [String: JSONValue], films: [String]
    ) {
        let movie = PersonFieldsTests.movie(fields)
        #expect(PersonFields.films(movie) == films)
        #expect(PersonFields.film(movie) == films.first)
        for film in films { #expect(movie.isAmong([film, "other"])) }
        #expect(!movie.isAmong(["other"]) && !movie.isAmong([]))
    }

    @Test(
        arguments: [
            ([:], "348", "tmdb", nil, ["348"]), ([:], "", "tmdb", nil, [""]),
            (["imdb": "tt1"], "tt1", "omdb", id, ["omdb:tt1", id]),
            (["tmdb": "348", "imdb": "tt1"], "k", "shelf", nil, ["348", "omdb:tt1", "shelf:k"]),
            ([:], "k", "shelf", id, ["shelf:k", id]),
        ] as [([String: String], String, String, String?, [String])])
    func `an item of a catalog may stand under all that is known of it`(
        ids: [String: String], key: String, catalog: String, record: String?, films: [String]
    ) {
        #expect(PersonFields.films(ids, key: key, of: catalog, record: record) == films)
    }

    @Test func `a deleted film is known by what it had`() {
        func item(_ op: String, _ before: JSONValue?) -> HistoryReply.Item {
            .init(
                seq: 1, at: Moment(milliseconds: 1), op: op, who: "app", origin: nil, stamp: nil, rule: nil,
                fields: [
                    .init(name: "tmdbID", before: before, after: nil, who: "app"),
                    .init(name: "note", before: nil, after: nil, who: "app"),
                ])
        }
        var history = HistoryReply(
            collection: "movies", id: PersonFieldsTests.id,
            items: [item("conflict", 1), item("delete", 348), item("delete", 7)], next: nil, complete: true,
            keptSince: nil)
        #expect(history.fieldsBeforeDelete == ["tmdbID": 348])
        history.items.removeAll()
        #expect(history.fieldsBeforeDelete.isEmpty)
    }
}
