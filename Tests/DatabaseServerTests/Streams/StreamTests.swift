import Foundation
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct StreamTests {
    /// What a listener of `/m` sees when another client does this.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before = #"{"a":{"n":1},"b":{"n":2}}"#
        var query = ""
        var requests: [Step]
        var frames: [String]
    }

    static let window = "?orderBy=%22_t%22&startAt=5"
    static let last = "?orderBy=%22n%22&limitToLast=2"

    static let cases: [Case] = [
        Case(
            testDescription: "a put of a child, of something deeper, and a delete",
            requests: [Step("PUT /m/c.json", #"{"n":3}"#), Step("PUT /m/a/n.json", "9"), Step("DELETE /m/b.json")],
            frames: [
                #"put {"path":"/c","data":{"n":3}}"#, #"put {"path":"/a/n","data":9}"#,
                #"put {"path":"/b","data":null}"#,
            ]
        ),
        Case(
            testDescription: "a write that changes nothing is no event",
            requests: [
                Step("PUT /m/a.json", #"{"n":1}"#), Step("DELETE /m/x.json"), Step("PUT /other.json", "1"),
                Step("PUT /m/c.json", "1"),
            ],
            frames: [#"put {"path":"/c","data":1}"#]
        ),
        Case(
            testDescription: "a put at the root or above is a whole value",
            requests: [
                Step("PUT /m.json", #"{"z":1}"#), Step("PUT /.json", #"{"m":{"y":[1,2]},"k":1}"#),
                Step("PUT /k.json", "2"),
                Step("DELETE /.json"),
            ],
            frames: [
                #"put {"path":"/","data":{"z":1}}"#, #"put {"path":"/","data":{"y":[1,2]}}"#,
                #"put {"path":"/","data":null}"#,
            ]
        ),
        Case(
            testDescription: "a value that has no children, in an order and without a bound",
            query: "?orderBy=%22$key%22",
            requests: [Step("PUT /m.json", "7"), Step("PUT /m.json", #"{"a":1}"#)],
            frames: [#"put {"path":"/","data":7}"#, #"put {"path":"/","data":{"a":1}}"#]
        ),
        Case(
            testDescription: "a patch at, below and above the root",
            requests: [
                Step("PATCH /m.json", #"{"a/n":5,"c":{"n":3},"b":null}"#),
                Step("PATCH /m/a.json", #"{"n":6,"o":7}"#),
                Step("PATCH /.json", #"{"m/a/n":8,"m/d":1,"k":2}"#),
                Step("PATCH /.json", #"{"m/e":1,"k":3}"#),
                Step("PATCH /.json", #"{"m":{"f":1},"k":4}"#),
                Step("PATCH /.json", #"{"k":5}"#),
                Step("POST /m.json?x-http-method-override=PUT", "1"),
            ],
            frames: [
                #"patch {"path":"/","data":{"a/n":5,"b":null,"c":{"n":3}}}"#,
                #"patch {"path":"/a","data":{"n":6,"o":7}}"#,
                #"patch {"path":"/","data":{"a/n":8,"d":1}}"#,
                #"put {"path":"/e","data":1}"#,
                #"put {"path":"/","data":{"f":1}}"#,
                #"put {"path":"/","data":1}"#,
            ]
        ),
        Case(
            testDescription: "a patch that changes a priority too",
            before: #"{"a":{"n":1},"b":2}"#,
            requests: [
                Step("PATCH /m.json", #"{".priority":9,"b":3}"#), Step("PATCH /m/a.json", #"{".priority":"p","n":2}"#),
                Step("PATCH /m.json", #"{"a/.priority":1,"b":4}"#),
            ],
            frames: [
                #"put {"path":"/","data":{"a":{"n":1},"b":3}}"#, #"put {"path":"/a","data":{"n":2}}"#,
                #"patch {"path":"/","data":{"b":4,"a":{"n":2}}}"#,
            ]
        ),
        Case(
            testDescription: "a window where the priority of its place is changed too",
            before: #"{"a":{"n":1},"b":{"n":2},"c":{"n":3}}"#,
            query: last,
            requests: [
                Step("PATCH /m.json", #"{".priority":9,"c/x":1}"#), Step("PATCH /m.json", #"{".priority":1}"#),
                Step("PUT /m/b/x.json", "2"),
            ],
            frames: [#"patch {"path":"/","data":{"c/x":1}}"#, #"put {"path":"/b/x","data":2}"#]
        ),
        Case(
            testDescription: "a window: what enters, changes, leaves, and what stays outside",
            before: #"{"old":{"_t":1},"new":{"_t":9}}"#,
            query: window,
            requests: [
                Step("PUT /m/older.json", #"{"_t":2}"#),
                Step("PUT /m/old/x.json", "1"),
                Step("PUT /m/old/_t.json", "7"),
                Step("PUT /m/old/x.json", "2"),
                Step("PATCH /m.json", #"{"new/_t":1,"older/_t":8,"outside":{"_t":0}}"#),
                Step("PATCH /m/old.json", #"{"x":3,"y":4}"#),
                Step("PUT /m.json", #"{"p":{"_t":1},"q":{"_t":10}}"#),
            ],
            frames: [
                #"put {"path":"/old","data":{"_t":7,"x":1}}"#,
                #"put {"path":"/old/x","data":2}"#,
                #"patch {"path":"/","data":{"new":null,"older":{"_t":8}}}"#,
                #"patch {"path":"/old","data":{"x":3,"y":4}}"#,
                #"put {"path":"/","data":{"q":{"_t":10}}}"#,
            ]
        ),
        Case(
            testDescription: "keys alone",
            before: #"{"a":{"n":1},"b":2}"#,
            query: "?shallow=true",
            requests: [
                Step("PUT /m/a/n.json", "2"), Step("PUT /m/c/d.json", "1"),
                Step("PATCH /m.json", #"{"a":null,"e/f":1}"#),
                Step("PUT /m.json", "5"), Step("PUT /m/x.json", "1"),
            ],
            frames: [
                #"put {"path":"/c","data":true}"#, #"patch {"path":"/","data":{"a":null,"e":true}}"#,
                #"put {"path":"/","data":5}"#, #"put {"path":"/","data":{"x":true}}"#,
            ]
        ),
        Case(
            testDescription: "a limit: what comes pushes something out",
            before: #"{"a":{"n":1},"b":{"n":2},"c":{"n":3}}"#,
            query: last,
            requests: [
                Step("PUT /m/z.json", #"{"n":0}"#), Step("PUT /m/d.json", #"{"n":4}"#), Step("PUT /m/d/x.json", "1"),
                Step("DELETE /m/d.json"),
            ],
            frames: [
                #"patch {"path":"/","data":{"b":null,"d":{"n":4}}}"#, #"put {"path":"/d/x","data":1}"#,
                #"patch {"path":"/","data":{"b":{"n":2},"d":null}}"#,
            ]
        ),
    ]

    @Test(arguments: cases) func `a listener is told what changes`(_ given: Case) async throws {
        try await withServer { client in
            _ = try await client.send("PUT", "/m.json", given.before)
            try await client.listen("/m.json\(given.query)") { frames in
                #expect(frames.contentType == "text/event-stream; charset=utf-8")
                let snapshot = try #require(try await frames.next())
                #expect(snapshot.hasPrefix(#"put {"path":"/","data":{"#))
                for step in given.requests { try await step.perform(client) }
                for frame in given.frames {
                    let found = try await frames.next()
                    #expect(found == frame)
                }
            }
        }
    }

    @Test func `a snapshot of a query is filtered, one of nothing is null`() async throws {
        try await withServer { client in
            _ = try await client.send("PUT", "/m.json", #"{"old":{"_t":1},"new":{"_t":9}}"#)
            try await client.listen("/m.json\(StreamTests.window)") { frames async throws in
                #expect(try await frames.next() == #"put {"path":"/","data":{"new":{"_t":9}}}"#)
            }
            try await client.listen("/none.json") { frames async throws in
                #expect(try await frames.next() == #"put {"path":"/","data":null}"#)
            }
        }
    }

    @Test func `an idle stream is kept alive, and ends when the server stops`() async throws {
        let folder = try TemporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await withServer(data: folder.path, options: { $0.keepAlive = .milliseconds(20) }) { client in
                let (ready, isReady) = AsyncStream<Void>.makeStream()
                group.addTask {
                    try await client.listen("/m.json") { frames async throws in
                        #expect(try await frames.next() == #"put {"path":"/","data":null}"#)
                        #expect(try await frames.next() == "keep-alive null")
                        isReady.finish()
                        while let frame = try? await frames.next() { #expect(frame == "keep-alive null") }
                    }
                }
                for await _ in ready {}
            }
            try await group.waitForAll()
        }
    }
}
