import SyncModel
import TestSupport
import Testing

@testable import WebFace

struct ShelfListTests {
    private func id(_ number: UInt64) -> RecordID { RecordID(high: 0, low: number) }

    private func entry(_ title: String, _ isWatched: Bool = false) -> ShelfList.Entry {
        ShelfList.Entry(title: title, isWatched: isWatched)
    }

    @Test
    func `films stand in the order of their titles, watched ones apart`() {
        var list = ShelfList([(id(1), entry("heat")), (id(2), entry("alien", true)), (id(3), entry("brazil"))])
        #expect(list.unwatched.map(\.title) == ["brazil", "heat"])
        list.put([(id(2), entry("alien")), (id(3), nil), (id(1), entry("heat", true)), (id(9), nil)])
        #expect(list.unwatched.map(\.title) == ["alien"])
        #expect(list.watched.map(\.title) == ["heat"])
    }

    @Test(arguments: [1, 7, 300])
    func `changes one by one or together make the same list`(batch: Int) {
        var random = SeededRandom(UInt64(batch))
        var (list, truth) = (ShelfList(), [RecordID: ShelfList.Entry]())
        for _ in 0..<20 {
            let changes: [(RecordID, ShelfList.Entry?)] = (0..<batch).map { _ in
                let isGone = Int.random(in: 0..<4, using: &random) == 0
                let title = "film \(Int.random(in: 0..<9, using: &random))"
                return (
                    id(.random(in: 0..<40, using: &random)), isGone ? nil : entry(title, .random(using: &random))
                )
            }
            list.put(changes)
            for (id, entry) in changes { truth[id] = entry }
            for isWatched in [false, true] {
                let wanted = truth.filter { $0.value.isWatched == isWatched }
                    .map { ShelfList.Film(title: $0.value.title, id: $0.key) }.sorted()
                #expect((isWatched ? list.watched : list.unwatched) == wanted)
            }
        }
    }
}

struct LibraryViewTests {
    private func list(_ unwatched: Int, _ watched: Int) -> ShelfList {
        ShelfList(
            (0..<(unwatched + watched)).map { number in
                let title = "film \(String(100_000 + number))"
                return (RecordID(high: 0, low: UInt64(number)), .init(title: title, isWatched: number >= unwatched))
            })
    }

    @Test(arguments: [
        (5_000, 0, 100, 0), (5_000, 5_000, 50, 50), (5_000, 20, 80, 20), (20, 5_000, 20, 80), (3, 4, 3, 4),
        (0, 0, 0, 0),
    ])
    func `both sections share one page`(unwatched: Int, watched: Int, first: Int, second: Int) {
        let slices = LibraryView(Query("")).slices(of: list(unwatched, watched))
        #expect(slices.map(\.count) == [unwatched, watched])
        #expect(slices.map(\.films.count) == [first, second])
    }

    @Test(arguments: [
        ("from=101", 101, 100), ("show=unwatched&from=4990", 4_990, 11), ("from=9999", 5_000, 1), ("from=-3", 1, 50),
        ("from=x", 1, 50), ("show=unwatched", 1, 100),
    ])
    func `a section is shown from a number on`(query: String, from: Int, count: Int) {
        let slice = LibraryView(Query(query)).slices(of: list(5_000, 5_000))[0]
        #expect(slice.from == from)
        #expect(slice.films.count == count)
    }

    @Test(arguments: [
        ("filter=FILM+100042", 1), ("filter=%20film%20%20100042", 1), ("filter=10004", 10), ("filter=%FF", 60),
    ])
    func `a filter goes over all films`(query: String, count: Int) {
        #expect(LibraryView(Query(query)).slices(of: list(30, 30)).map(\.count).reduce(0, +) == count)
    }

    @Test
    func `an address says what is shown`() {
        let view = LibraryView(Query("filter=a+%26+b&show=watched&from=7"))
        #expect(view.address(.watched, from: 107) == "/?filter=a%20%26%20b&show=watched&from=107")
        #expect(LibraryView(Query(view.address(.watched, from: 7).dropFirst(2))) == view)
        #expect(LibraryView(Query("")).address(nil) == "/")
    }

    @Test(arguments: [("Amélie", "amelie"), ("ÄRGER", "arger"), ("Alien", "alien"), ("1984", "1984")])
    func `titles are compared without case and accents`(title: String, folded: String) {
        #expect(title.folded == folded)
    }
}
