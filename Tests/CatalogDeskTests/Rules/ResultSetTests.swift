import PluginKit
import SyncModel
import Testing

@testable import CatalogDesk

struct ResultSetTests {
    private func set(_ id: String = "a") -> ResultSet {
        ResultSet(
            id: id, catalog: "tmdb", collection: "movies", query: CatalogQuery(.list("popular"), today: "2026-11-22"))
    }

    private func page(_ keys: [String], next: String? = nil, skipped: Int = 0) -> CatalogPage {
        CatalogPage(
            rows: keys.map { CatalogRow(key: $0, fields: ["title": .string("Film \($0)")]) }, next: next,
            skipped: skipped)
    }

    @Test func `doubles are dropped and counted, and numbers go on`() {
        var set = set()
        #expect(set.add(page(["1", "2", "1"], next: "2"), isStale: false) == 1..<3)
        #expect(set.nextQuery?.page == "2")
        #expect(set.add(page(["2", "3"], next: "3", skipped: 1), isStale: true) == 3..<4)
        #expect(
            set.rows.map(\.key) == ["1", "2", "3"] && set.duplicatesDropped == 2 && set.skipped == 1 && set.isStale)
        #expect(set.row(3)?.key == "3" && set.row(0) == nil && set.row(4) == nil)
    }

    @Test(arguments: [(-5, nil), (0, 0), (7, 7)] as [(Int, Int?)])
    func `a total below zero says nothing`(said: Int, total: Int?) {
        var set = set()
        set.add(CatalogPage(rows: [], total: said), isStale: false)
        #expect(set.total == total)
    }

    @Test func `a page of doubles alone ends the walk, and not a second pass`() {
        var set = set()
        set.add(page(["1", "2"], next: "2"), isStale: false)
        set.add(page(["1", "2"], next: "3"), isStale: false)
        #expect(set.nextQuery == nil && set.isTruncated)
        let first = set.again()
        #expect(first.page == nil)
        set.add(page(["1", "2"], next: "2"), isStale: false)
        #expect(set.nextQuery?.page == "2")
        #expect(set.add(page(["3"]), isStale: false) == 3..<4)
        #expect(set.nextQuery == nil && !set.isTruncated)
    }

    @Test(arguments: [false, true]) func `a source that never ends is read to a limit`(isUnreadable: Bool) {
        var set = set()
        var pages = 0
        repeat {
            pages += 1
            let keys = isUnreadable ? [] : (0..<1000).map { "\(pages)-\($0)" }
            set.add(page(keys, next: "\(pages + 1)", skipped: isUnreadable ? 1000 : 0), isStale: false)
        } while set.nextQuery != nil && pages < 1000
        #expect(pages == 40 && set.isTruncated && set.rows.count <= 40_000)
        _ = set.again()
        set.add(page(["1-1"], next: "2"), isStale: false)
        #expect(set.nextQuery == nil)
    }

    @Test(arguments: [("AMELIE", ["1"]), ("ａｍéｌ", ["1"]), ("2001", ["1", "3"]), ("", ["1", "2", "3"]), ("x", [])])
    func `a filter knows no case, accents and width`(filter: String, keys: [String]) {
        var set = set()
        set.add(
            CatalogPage(rows: [
                CatalogRow(key: "1", fields: ["title": "Amélie", "year": 2001]),
                CatalogRow(key: "2", fields: ["title": "Alien", "year": 1979]),
                CatalogRow(key: "3", fields: ["title": "Spirited Away", "originalTitle": "千と千尋", "year": 2001]),
            ]), isStale: false)
        #expect(set.numbers(holding: filter).compactMap { set.row($0)?.key } == keys)
        #expect(set.numbers(holding: "千と").count == 1)
    }

    @Test func `sets are held for a while, and each user has a last one`() {
        var shelf = SetShelf()
        for (index, name) in ["a", "b"].enumerated() {
            shelf.put(set(name), at: 0)
            shelf.made(set(name), by: UInt32(index))
        }
        func held(_ id: String, _ owner: SetShelf.Owner = .init(), at now: UInt64 = 1) -> String? {
            shelf.set(id, owner, at: now)?.id
        }
        #expect(held("latest", .init(user: 0)) == "a")
        #expect(held("latest", .init(user: 1, collection: "movies")) == "b")
        #expect(held("latest", .init(user: 1, collection: "artists")) == nil)
        #expect(held("latest", .init(user: nil)) == nil)
        #expect(held("a", at: 30 * 60_000) == "a", "used, so held on")
        #expect(held("b", at: 30 * 60_000 + 2) == nil)
        for number in 0..<40 { shelf.put(set("s\(number)"), at: 30 * 60_000 + UInt64(number)) }
        #expect(shelf.count == 32)
        #expect(held("s39", at: 30 * 60_000 + 50) != nil)
    }

    @Test func `the id of an item is the same everywhere, and never another one`() {
        let film = SourceID.record("movies", "tmdb", "348")
        #expect(film.description == "10FA2D66-4E61-5A0F-AB44-B28A8F4381D1")
        #expect(film != SourceID.record("movies", "omdb", "348"))
        #expect(film.description.dropFirst(14).first == "5")
    }
}
