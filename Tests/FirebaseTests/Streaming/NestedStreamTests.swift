import SyncModel
import Testing

@testable import Firebase

/// What a stream says of a place where several keys, one below the other, lead to an entry.
struct NestedStreamTests {
    private static func heard(_ depth: Int, _ event: String, _ path: String, _ data: String) -> [RemoteEvent] {
        var interpreter = StreamInterpreter(keyspace: .records("reviews"), depth: depth)
        _ = interpreter.events(in: Array("event: put\ndata: {\"path\":\"/\",\"data\":null}\n\n".utf8)[...])
        let text = "event: \(event)\ndata: {\"path\":\"\(path)\",\"data\":\(data)}\n\n"
        return interpreter.events(in: Array(text.utf8)[...])
    }

    private static func gone(_ key: String) -> RemoteEvent { .changed(RemoteEntry(key: key, value: .absent)) }

    private static func there(_ key: String) -> RemoteEvent {
        .changed(RemoteEntry(key: key, value: .record(fields: ["t": 1], stamps: nil)))
    }

    @Test(
        arguments: [
            (2, "patch", "/348", #"{"bert":null}"#, [gone("348/bert")]),
            (2, "patch", "/348", #"{"anna":null,"bert":{"t":1}}"#, [there("348/bert"), gone("348/anna")]),
            (2, "patch", "/", #"{"348/bert":null,"349/bert":{"t":1}}"#, [there("349/bert"), gone("348/bert")]),
            (2, "put", "/348/bert", "null", [gone("348/bert")]),
            (2, "put", "/348", "null", [.replaced(below: "348", by: [])]),
            (2, "put", "/348", #"{"anna":{"t":1}}"#, [.replaced(below: "348", by: ["348/anna"]), there("348/anna")]),
            (
                2, "patch", "/", #"{"1":null,"2":{"a":{"t":1}},"3":null}"#,
                [
                    there("2/a"), .replaced(below: "1", by: []), .replaced(below: "2", by: ["2/a"]),
                    .replaced(below: "3", by: []),
                ]
            ),
            (2, "patch", "/348/bert", #"{"t":null}"#, [.touched(key: "348/bert")]),
            (
                3, "patch", "/1", #"{"x/a":null,"y":null,"z":{"b":{"t":1}}}"#,
                [
                    there("1/z/b"), gone("1/x/a"), .replaced(below: "1/y", by: []),
                    .replaced(below: "1/z", by: ["1/z/b"]),
                ]
            ),
            (3, "patch", "/1/x", #"{"a":null,"b":{"t":1}}"#, [there("1/x/b"), gone("1/x/a")]),
            (3, "put", "/1/x", "null", [.replaced(below: "1/x", by: [])]),
        ] as [(Int, String, String, String, [RemoteEvent])])
    func `an event is what it says about the entries`(
        depth: Int, event: String, path: String, data: String, expected: [RemoteEvent]
    ) {
        #expect(Self.heard(depth, event, path, data) == expected)
    }
}
