import PluginKit
import SyncModel
import Testing

@testable import CatalogDesk

struct LibraryIndexTests {
    private let own = RecordID(high: 1, low: 1)
    private let other = RecordID(high: 2, low: 2)

    private func index(_ fields: [String: JSONValue]) -> LibraryIndex {
        var index = LibraryIndex()
        index.put(other, fields, titleField: "title")
        return index
    }

    private func row(_ ids: [String: String], _ title: String = "Alien", year: Int64? = 1979) -> CatalogRow {
        var fields: [String: JSONValue] = ["title": .string(title)]
        if let year { fields["year"] = .integer(year) }
        return CatalogRow(key: "348", fields: fields, ids: ids)
    }

    @Test(
        arguments: [
            (["title": "A", "tmdbID": 348], ["tmdb": "348"], true),
            (["title": "A", "ids": ["tmdb": "348"]], ["tmdb": "348"], true),
            (["title": "A", "imdbID": "tt1"], ["imdb": "tt1"], true),
            (["title": "A", "ids": ["imdb": "tt1"]], ["tmdb": "348", "imdb": "tt1"], true),
            (["title": "A", "tmdbID": 349], ["tmdb": "348"], false),
            // By title and year, unless both have an id of one source.
            (["title": "ALIEN", "year": 1979], ["tmdb": "348"], true),
            (["title": "Alien", "year": 1979, "imdbID": "tt1"], ["tmdb": "348"], true),
            (["title": "Alien", "year": 1979, "tmdbID": 349], ["tmdb": "348"], false),
            (["title": "Alien", "year": 1986], ["tmdb": "348"], false),
            (["title": "Alien"], ["tmdb": "348"], false),
            (["title": "Alien", "year": 1979], ["shelf": "x"], true),
        ] as [([String: JSONValue], [String: String], Bool)])
    func `a film is known by its ids, else by title and year`(
        fields: [String: JSONValue], ids: [String: String], isThere: Bool
    ) {
        let found = index(fields).record(of: row(ids), savedAs: own, titleField: "title")
        #expect(found == (isThere ? other : nil))
    }

    @Test func `a title without a year names nothing`() {
        let row = row(["tmdb": "348"], year: nil)
        #expect(index(["title": "Alien"]).record(of: row, savedAs: own, titleField: "title") == nil)
    }

    @Test func `what was saved is known, until it is changed or gone`() {
        var index = index(["title": "Alien", "year": 1979])
        index.put(own, ["title": "Renamed"], titleField: "title")
        #expect(index.record(of: row([:]), savedAs: own, titleField: "title") == own)
        index.put(own, nil, titleField: "title")
        #expect(index.record(of: row([:]), savedAs: own, titleField: "title") == other)
        index.put(other, ["title": "Aliens", "year": 1986], titleField: "title")
        #expect(index.record(of: row([:]), savedAs: own, titleField: "title") == nil)
        #expect(index.count == 1)
    }
}
