import DatabaseTree
import FirebaseWire
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct BodyTests {
    static let composed = "\u{e9}"
    static let decomposed = "e\u{301}"
    static let tooLong = #"""# + String(repeating: "x", count: 10 << 20) + #"x""#
    static let longest = #"""# + String(repeating: "x", count: 10 << 20) + #"""#

    static let stories: [Story] = [
        Story(
            "keys are bytes",
            [
                Step("PUT /k.json", "{\"\(decomposed)\":1,\"\(composed)\":{\"x\":2}}"),
                Step("GET /k.json", nil, [:], 200, "{\"\(decomposed)\":1,\"\(composed)\":{\"x\":2}}"),
                Step("GET /k/%C3%A9/x.json", nil, [:], 200, "2"),
                Step("GET /k/e%CC%81.json", nil, [:], 200, "1"),
                Step("PATCH /k.json", "{\"\(composed)\":null,\"\(decomposed)/y\":3}"),
                Step("GET /k.json?print=pretty", nil, [:], 200, "{\n  \"\(decomposed)\" : {\n    \"y\" : 3\n  }\n}\n"),
            ]
        ),
        Story(
            "numbers are 64-bit integers, or doubles",
            [
                Step("PUT /n.json", "[9007199254740993,18446744073709551616,1.0,-0.0,1e3,1E-7]"),
                Step("GET /n.json", nil, [:], 200, "[9007199254740993,1.8446744073709552e+19,1,0,1000,1e-07]"),
                Step(
                    "GET /n.json?orderBy=%22$value%22&startAt=18446744073709551616&endAt=99999999999999999999", nil,
                    [:], 200,
                    "[null,1.8446744073709552e+19]"),
                Step("PUT /n.json", "1e400", [:], 400), Step("PUT /n.json", "01", [:], 400),
                Step("PUT /n.json", "NaN", [:], 400), Step("PUT /n.json", "+1", [:], 400),
            ]
        ),
        Story(
            "bodies that are no value are refused",
            [
                Step("PUT /a.json", "", [:], 400, #"{"error":"Error: No data supplied."}"#),
                Step("POST /a.json", "", [:], 400), Step("PATCH /a.json", "", [:], 400),
                Step("PATCH /a.json", "[1]", [:], 400), Step("PATCH /a.json", #""x""#, [:], 400),
                Step("PATCH /a.json", "7", [:], 400), Step("PUT /a.json", "{}{}", [:], 400),
                Step("PUT /a.json", #"{"a":1,}"#, [:], 400), Step("PUT /a.json", "{'a':1}", [:], 400),
                Step("PUT /a.json", String(repeating: "[", count: 100_000), [:], 400),
                Step("PUT /a.json", String(repeating: #"{"a":"#, count: 100_000), [:], 400),
                Step("PUT /a.json", "1", ["Content-Encoding": "gzip"], 415),
                Step("PUT /a.json", "1", ["Content-Encoding": "identity"]),
                Step("PUT /a.json", " null\n", [:], 200, "null"),
                Step("PATCH /a.json", "{}", [:], 200, "{}"), Step("PATCH /a.json", " null\n", [:], 200, "null"),
                Step("GET /.json", nil, [:], 200, "null"),
            ]
        ),
        Story(
            "strings end at 10 MB",
            [
                Step("PUT /s.json?print=silent", tooLong, [:], 400),
                Step("PUT /s.json?print=silent", longest, [:], 204),
                Step("PUT /s/.priority.json", "1"), Step("GET /s.json", nil, [:], 200, longest),
            ]
        ),
        Story(
            "paths",
            [
                Step("PUT //a//b/.json", "1"), Step("GET /a/b/.json", nil, [:], 200, "1"),
                Step("GET /a+b.json", nil, [:], 200, "null"), Step("PUT /a%20b.json", "2"), Step("PUT /c+d.json", "3"),
                Step("GET /.json", nil, [:], 200, #"{"a":{"b":1},"a b":2,"c+d":3}"#),
                Step("GET /a%2Fb.json", nil, [:], 400, #"{"error":"Invalid path: Invalid token in path"}"#),
                Step("GET /a%01.json", nil, [:], 400),
                Step("GET /.other/connected.json", nil, [:], 400),
                Step("GET /.settings/other.json", nil, [:], 404), Step("GET /", nil, [:], 404),
                Step("GET /a", nil, [:], 404), Step("GET /.json.json", nil, [:], 400),
            ]
        ),
        Story(
            "if-match takes one etag, and only where it can be kept",
            [
                Step("PUT /a.json", "1", ["if-match": "*"], 400), Step("PUT /a.json", "1", ["if-match": "x, y"], 400),
                Step("PUT /a.json", "1", ["if-match": "\"null_etag\""], 412, "null"),
                Step("PUT /a.json", "1", ["if-none-match": "null_etag"], 400),
                Step("DELETE /a.json?print=silent", nil, ["if-match": "null_etag"], 400),
                Step("DELETE /a.json?print=silent", nil, [:], 204, ""),
                Step("GET /a.json?shallow=true", nil, ["X-Firebase-ETag": "true"], 400),
                Step("GET /a.json?orderBy=%22$key%22", nil, ["if-none-match": "x"], 400),
                Step("GET /a.json", nil, ["X-Firebase-ETag": "false", "if-none-match": "x"]),
            ]
        ),
    ]

    @Test(arguments: stories) func `a server takes what is sent as Firebase does`(_ story: Story) async throws {
        try await withServer { client in
            for step in story.steps { try await step.perform(client) }
        }
    }

    @Test(arguments: ["a%", "a%2", "a%zz", "%ff", "%C3"]) func `a broken escape is no text`(_ part: String) {
        #expect(PercentEncoding.decoded(part[...]) == nil)
    }

    @Test func `a post answers with the etag of what it stored`() async throws {
        try await withServer { client in
            let answer = try await client.send("POST", "/l.json", "1", ["X-Firebase-ETag": "true"])
            #expect(answer.headers["etag"] == Node.etag(Node(canonical: Array("1".utf8))).text)
        }
    }

    @Test func `conditions on a large node hold against writes beside and inside it`() async throws {
        try await withServer { client in
            let members = (0..<2000).map { #""k\#($0)":"some text to fill this up""# }.joined(separator: ",")
            try await Step("PUT /big.json?print=silent", "{\(members)}", [:], 204).perform(client)
            let etag = try await client.send("GET", "/big.json", nil, ["X-Firebase-ETag": "true"]).headers["etag"]
            let condition = ["if-match": try #require(etag)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask { try await Step("PUT /beside/\(number).json", "1").perform(client) }
                }
                try await group.waitForAll()
            }
            try await Step("PUT /big/k0.json", "1").perform(client)
            let lost = try await client.send("PUT", "/big.json", "1", condition)
            let current = try #require(lost.headers["etag"])
            #expect(lost.status == 412 && current != etag && lost.body.hasPrefix(#"{"k0":1,"k1":"#))
            try await Step("DELETE /big.json", nil, ["if-match": current], 200, "null").perform(client)
        }
    }
}
