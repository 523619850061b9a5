import FirebaseWire
import SyncModel
import Testing

@testable import DatabaseTree

struct ServerValueTests {
    static let sums: [(JSONValue?, JSONValue, JSONValue)] = [
        (nil, 2, 2), (3, 2, 5), ("text", 2, 2), (3, 0.5, 3.5), (1.5, 2, 3.5),
        (.integer(.max), 1, .number(9_223_372_036_854_775_808)),
    ]

    @Test(arguments: sums) func `an increment adds to what is there`(
        _ present: JSONValue?, _ delta: JSONValue, _ sum: JSONValue
    ) {
        let value = WriteValue.object([
            .init(WireKey(unchecked: "a"), .server(.increment(delta))),
            .init(WireKey(unchecked: "t"), .server(.timestamp)),
        ])
        let result = value.resolved(now: 17) { path in path.description == "/a" ? present : nil }
        let expected = WriteValue.object([
            .init(WireKey(unchecked: "a"), .leaf(sum)), .init(WireKey(unchecked: "t"), .leaf(17)),
        ])
        #expect(result == expected)
    }

    @Test(
        arguments: [["increment": "1"], ["increment": 1, "other": 2], ["decrement": 1], 1, "now", nil] as [JSONValue])
    func `an unknown server value is refused`(_ word: JSONValue) {
        #expect(throws: Refusal.unknownServerValue) { try ServerValue(word) }
    }
}
