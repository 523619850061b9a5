import DatabaseTree
import FirebaseWire
import JSONText
import NIOCore
import SyncModel
import Synchronization
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
        Query(.key, limit: .init(7)),
        Query(.priority, limit: .init(3, fromEnd: true)),
        Query(.value, from: .init(.object), limit: .init(6)),
    ]

    private func node(_ children: [String: JSONValue]) -> Node? {
        JSONValue.object(children).pruned.map { Node(canonical: JSONWriter.text($0)) }
    }

    @Test(arguments: queries) func `a window that follows changes selects what a look at all children does`(
        _ query: Query
    ) throws {
        var random = SeededRandom(1)
        var children: [String: JSONValue] = [:]
        var window = QueryWindow(query, of: [])
        for _ in 0..<600 {
            var touched: Set<WireKey> = []
            let old = Set(window.keys)
            for _ in 0..<(1 + random.below(3)) {
                let key = random.chance(50) ? "k\(random.below(8))" : "\(random.below(5))"
                let number = JSONValue.integer(Int64(random.below(10)))
                children[key] = random.chance(30) ? nil : ["n": number, ".priority": number]
                touched.insert(WireKey(unchecked: key))
            }
            let parent = node(children)
            let moved = window.follow(touched, in: parent) { parent?.selected(by: $0) ?? [] }
            let selected = Set((parent?.selected(by: query) ?? []).map(\.key))
            try #require(Set(window.keys) == selected)
            try #require(moved.entered == selected.subtracting(old) && moved.left == old.subtracting(selected))
        }
    }

    @Test(arguments: [false, true]) func `who follows those that leave is asked for alone`(isFromEnd: Bool) throws {
        let query = Query(.value, limit: .init(100, fromEnd: isFromEnd))
        var children = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("k\($0)", JSONValue.integer($0)) })
        var window = QueryWindow(query, of: node(children)?.selected(by: query) ?? [])
        var asked: [Query] = []
        for count in [1, 2, 20] {
            let leaving = window.keys.sorted().prefix(count)
            for key in leaving { children[key.text] = nil }
            let parent = node(children)
            let moved = window.follow(Set(leaving), in: parent) { next in
                asked.append(next)
                return parent?.selected(by: next) ?? []
            }
            #expect(moved.left == Set(leaving) && moved.entered.count == count)
        }
        #expect(asked.map(\.limit?.count) == [1, 2, 20])
        #expect(asked.allSatisfy { (isFromEnd ? $0.upper : $0.lower) != nil })
    }

    @Test func `a wide window is made when its listener comes, not when something changes`() async throws {
        let listeners = Listeners()
        let query = Query(.value, limit: .init(500))
        let listener = Heard()
        let (before, after) = (try root(["a": 1, "b": 2]), try root(["a": 1, "b": 3]))
        listeners.add(listener, to: Subscription(path: .root, query: query), of: before)
        let write = try LooseQueue.write(.put, "/b", "3")
        // Whoever had to look at what was there would find nothing.
        listeners.publish([CommittedChange(write, [Node(canonical: Array("3".utf8))], before: Root("db"), after: after)]
        )
        await withCheckedContinuation { done in listeners.whenTold { done.resume() } }
        #expect(listener.text == EventFrame.change(.put, at: try WirePath(parsing: "/b"), data: Array("3".utf8)).text)
    }

    private func root(_ children: [String: JSONValue]) throws -> Root {
        var root = Root("db")
        var rows = RowChanges(RowNumbers(next: 1))
        _ = root.set(.root, to: node(children), &rows)
        return root
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

private final class Heard: Listening {
    let id = 1
    let principal = Principal.administrator
    private let frames = Mutex("")

    var text: String { frames.withLock(\.self) }

    func offer(_ frames: ByteBuffer) { self.frames.withLock { $0 += String(buffer: frames) } }

    func revoke() {}
}
