import DatabaseTree
import FirebaseWire
import NIOCore
import TestSupport
import Testing

@testable import DatabaseServer

/// Whom a write concerns.
struct ListenerTreeTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func `whoever listens at, above or below a written place is told`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed)
        for _ in 0..<50 {
            let places = Set((0..<random.below(8)).map { _ in Self.path(&random, depth: random.below(5)) })
            var tree = ListenerTree()
            for place in places {
                tree.update(Subscription(path: place, query: nil)) { $0.listeners[1] = Deaf() }
            }
            let (base, depth) = (Self.path(&random, depth: random.below(3)), random.below(4))
            let written = Set((0...random.below(6)).map { _ in Self.path(&random, depth: depth) })
            let body = written.map { "\"\($0.text)\":1" }.joined(separator: ",")
            let write =
                depth == 0
                ? try LooseQueue.write(.put, base.description, "1")
                : try LooseQueue.write(.patch, base.description, "{\(body)}")
            let values = [Node?](repeating: nil, count: write.entries.count)
            let change = CommittedChange(write, values, before: Root("db"), after: Root("db"))
            let concerned = places.filter { place in
                write.places.contains { $0.contains(place) || place.contains($0) }
            }
            #expect(Set(tree.subscriptions(touchedBy: change).map(\.path)) == concerned)
        }
    }

    private static func path(_ random: inout SeededRandom, depth: Int) -> WirePath {
        WirePath((0..<depth).map { _ in random.pick([WireKey("a"), WireKey("b")]) }.compactMap(\.self))
    }
}

private final class Deaf: Listening {
    let id = 1
    let principal = Identity.nobody.principal

    func offer(_ frames: ByteBuffer) {}
    func revoke() {}
}
