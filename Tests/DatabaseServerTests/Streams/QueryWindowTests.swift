import DatabaseTree
import FirebaseWire
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

struct QueryWindowTests {
    static let queries: [Query] = [
        Query(.child(WirePath([WireKey(unchecked: "n")])), limit: .init(1)),
        Query(.child(WirePath([WireKey(unchecked: "n")])), limit: .init(4, fromEnd: true)),
        Query(.child(WirePath([WireKey(unchecked: "n")])), from: .init(.number(5)), limit: .init(3)),
        Query(.key, limit: .init(3, fromEnd: true)),
        Query(.key, to: .init(.string("k7")), limit: .init(5, fromEnd: true)),
    ]

    private func node(_ children: [String: JSONValue]) -> Node? {
        JSONValue.object(children).pruned.map { Node(canonical: JSONWriter.text($0)) }
    }

    @Test(arguments: queries) func `a window that follows changes selects what a look at all children does`(
        _ query: Query
    ) throws {
        var random = SeededRandom(1)
        var children: [String: JSONValue] = [:]
        var window = QueryWindow(query, of: nil)
        for _ in 0..<600 {
            var touched: Set<WireKey> = []
            for _ in 0..<(1 + random.below(3)) {
                let key = "k\(random.below(12))"
                children[key] = random.chance(30) ? nil : ["n": .integer(Int64(random.below(10)))]
                touched.insert(WireKey(unchecked: key))
            }
            let parent = node(children)
            window.follow(touched, in: parent) { parent.flatMap { Node(children: $0.selected(by: query)) } }
            let selected = parent?.selected(by: query) ?? []
            try #require(window.keys == Set(selected.map(\.key)))
        }
    }
}
