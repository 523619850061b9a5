import SyncModel
import Testing

@testable import RTDBWire

struct WirePatchTests {
    @Test func `entries come in the order of their paths`() throws {
        let patch = try WirePatch(["b": 1, "a/x": nil, "a/b/c": true], base: .root)
        #expect(patch.entries.map(\.path.text) == ["a/b/c", "a/x", "b"])
        #expect(patch.entries[1].value == .null)
    }

    @Test(
        arguments: [
            ["a": 1, "a/b": 2], ["a/b": 1, "/a/b/": 2], ["a": 1, "a!": 3, "a/b/c": 2], ["": 1], ["a.b": 1],
            ["a": ["b/c": 1]],
            ["a": ["$": 1]],
        ] as [[String: JSONValue]]) func `what can't be one update is refused`(_ body: [String: JSONValue])
    {
        #expect(throws: WireRefusal.self) { try WirePatch(body, base: .root) }
    }

    @Test func `depth counts from the root of the database`() throws {
        let base = WirePath((0..<30).map { WireKey(unchecked: "k\($0)") })
        _ = try WirePatch(["a/b": 1], base: base)
        #expect(throws: WireRefusal.tooDeep) { try WirePatch(["a/b/c": 1], base: base) }
        #expect(throws: WireRefusal.tooDeep) { try WirePatch(["a/b": ["c": 1]], base: base) }
    }
}
