import SyncModel
import Testing

@testable import RTDBWire

struct ServerValueTests {
    static let sums: [(JSONValue?, JSONValue, JSONValue)] = [
        (nil, 2, 2), (3, 2, 5), ("text", 2, 2), (3, 0.5, 3.5), (1.5, 2, 3.5),
        (.integer(.max), 1, .number(9_223_372_036_854_775_808)),
    ]

    @Test(arguments: sums) func `an increment adds to what is there`(
        _ present: JSONValue?, _ delta: JSONValue, _ sum: JSONValue
    ) {
        let value: JSONValue = ["a": [".sv": ["increment": delta]], "t": [".sv": "timestamp"]]
        #expect(ServerValue.occurs(in: value))
        let result = ServerValue.resolved(value, now: 17) { path in
            #expect(path.description == "/a")
            return present
        }
        #expect(result == ["a": sum, "t": 17])
    }

    @Test(
        arguments: [[".sv": "now"], [".sv": "timestamp", "a": 1], [".sv": ["increment": "1"]], [".sv": 1]]
            as [JSONValue])
    func `an unknown server value is refused`(_ value: JSONValue) {
        #expect(throws: WireRefusal.self) { try WireValue.check(["x": value], depth: 0) }
    }
}
