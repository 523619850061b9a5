import DatabaseTree
import FirebaseWire
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct RestTests {
    static let etag = ["X-Firebase-ETag": "true"]
    static let unknownEtag = ["if-match": "nothing-like-this"]

    static let stories: [Story] = [
        Story("a missing node is null", [Step("GET /nothing.json", nil, [:], 200, "null")]),
        Story(
            "a put replaces the whole subtree",
            [
                Step("PUT /a.json", #"{"b":1,"c":2}"#, [:], 200, #"{"b":1,"c":2}"#),
                Step("PUT /a.json", #"{"d":3}"#),
                Step("GET /a/.json", nil, [:], 200, #"{"d":3}"#),
                Step("PUT /a/d/e.json", "true"),
                Step("GET /.json", nil, [:], 200, #"{"a":{"d":{"e":true}}}"#),
            ]
        ),
        Story(
            "nulls and empty objects are pruned up to the root",
            [
                Step("PUT /a.json", #"{"b":{"c":null},"d":{},"e":[]}"#, [:], 200, "null"),
                Step("PUT /a/b/c.json", "1"),
                Step("DELETE /a/b/c.json", nil, [:], 200, "null"),
                Step("GET /.json", nil, [:], 200, "null"),
                Step("DELETE /a.json", nil, [:], 200, "null"),
            ]
        ),
        Story(
            "objects with index keys are arrays, as written and as grown",
            [
                Step("PUT /a.json", #"["x",null,"y"]"#, [:], 200, #"["x",null,"y"]"#),
                Step("PUT /a/1.json", #""z""#),
                Step("GET /a.json", nil, [:], 200, #"["x","z","y"]"#),
                Step("PUT /a/9.json", "9"),
                Step("GET /a.json", nil, [:], 200, #"{"0":"x","1":"z","2":"y","9":9}"#),
                Step("GET /a.json?format=export", nil, [:], 200, #"{"0":"x","1":"z","2":"y","9":9}"#),
                Step("PUT /b/0.json", "1"),
                Step("PUT /b/1.json", "2"),
                Step("GET /b.json", nil, [:], 200, "[1,2]"),
                Step("GET /b.json?format=export", nil, [:], 200, #"{"0":1,"1":2}"#),
            ]
        ),
        Story(
            "a patch replaces at deep paths and deletes with null",
            [
                Step("PUT /u.json", #"{"a":{"n":1,"m":1},"b":2,"c":3}"#),
                Step(
                    "PATCH /u.json", #"{"a/n":5,"b":null,"x/y/z":true}"#, [:], 200, #"{"a/n":5,"b":null,"x/y/z":true}"#),
                Step("GET /u.json", nil, [:], 200, #"{"a":{"m":1,"n":5},"c":3,"x":{"y":{"z":true}}}"#),
                Step("PATCH /u.json", #"{"a":1,"a/n":2}"#, [:], 400),
                Step("PATCH /u.json", "[1]", [:], 400),
                Step("PATCH /u.json", #"{"q":1,"bad.key":2}"#, [:], 400),
                Step("GET /u/q.json", nil, [:], 200, "null"),
                Step("PATCH /u.json", "null", [:], 200, "null"),
                Step("GET /u.json", nil, [:], 200, "null"),
            ]
        ),
        Story(
            "silent writes and reads answer 204",
            [
                Step("PUT /a.json?print=silent", "1", [:], 204, ""),
                Step("PATCH /b.json?print=silent", #"{"c":1}"#, [:], 204, ""),
                Step("POST /l.json?print=silent", "1", [:], 204, ""),
                Step("GET /a.json?print=silent", nil, [:], 204, ""),
                Step("GET /a.json?print=loud", nil, [:], 400),
            ]
        ),
        Story(
            "the method can be overridden",
            [
                Step("POST /a.json", "1", ["X-HTTP-Method-Override": "PUT"], 200, "1"),
                Step("POST /a.json?x-http-method-override=DELETE", nil, [:], 200, "null"),
                Step("OPTIONS /a.json", nil, [:], 200, ""),
                Step("HEAD /a.json", nil, [:], 200, ""),
            ]
        ),
        Story(
            "conditional writes",
            [
                Step("PUT /a.json", "1", ["if-match": "null_etag"], 200, "1"),
                Step("PUT /a.json", "2", ["if-match": "null_etag"], 412, "1"),
                Step("DELETE /a.json", nil, unknownEtag, 412, "1"),
                Step("DELETE /none.json", nil, unknownEtag, 412, "null"),
                Step("PUT /a.json?print=silent", "2", ["if-match": "null_etag"], 400),
                Step("GET /a.json", nil, unknownEtag, 400),
                Step("PATCH /a.json", #"{"b":1}"#, unknownEtag, 400),
                Step("PATCH /a.json", #"{"b":1}"#, etag, 400),
                Step("POST /a.json", "1", unknownEtag, 400),
                Step("GET /a.json", nil, [:], 200, "1"),
            ]
        ),
        Story(
            "shallow reads",
            [
                Step("PUT /a.json", #"{"b":{"c":1},"d":2}"#),
                Step("GET /a.json?shallow=true", nil, [:], 200, #"{"b":true,"d":true}"#),
                Step("GET /a/d.json?shallow=true", nil, [:], 200, "2"),
                Step("GET /none.json?shallow=true", nil, [:], 200, "null"),
                Step("GET /a.json?shallow=true&limitToFirst=1", nil, [:], 200, #"{"b":true}"#),
            ]
        ),
        Story(
            "pretty printing",
            [
                Step(
                    "PUT /a.json?print=pretty", #"{"b":[1,{"c":"d"}]}"#, [:], 200,
                    "{\n  \"b\" : [\n    1,\n    {\n      \"c\" : \"d\"\n    }\n  ]\n}\n")
            ]
        ),
        Story(
            "databases are apart",
            [
                Step("PUT /a.json?ns=one", "1", ["Authorization": "Bearer owner"]),
                Step("GET /a.json?ns=one", nil, [:], 200, "1"),
                Step("GET /a.json?ns=two", nil, [:], 200, "null"),
                Step("GET /a.json", nil, [:], 200, "null"),
            ]
        ),
        Story(
            "what is not allowed is refused",
            [
                Step("GET /a.json?cachebuster=1", nil, [:], 400),
                Step("PUT /a.json", "{", [:], 400),
                Step("PUT /a.json", "", [:], 400),
                Step("PUT /a.json", #"{"a.b":1}"#, [:], 400),
                Step("PUT /a.json", #"{"":1}"#, [:], 400),
                Step("PUT /a.json", #"{"x":{".sv":"nonsense"}}"#, [:], 400),
                Step("PUT /a$b.json", "1", [:], 400),
                Step("PUT /a%2Fb.json", "1", [:], 400),
                Step("PUT /\(String(repeating: "k", count: 769)).json", "1", [:], 400),
                Step("PUT /\(String(repeating: "k", count: 768)).json", "1"),
                Step("PUT /\(Array(repeating: "k", count: 33).joined(separator: "/")).json", "1", [:], 400),
                Step("PUT /\(Array(repeating: "k", count: 32).joined(separator: "/")).json", "1"),
                Step("PUT /a.json?orderBy=%22$key%22", "1", [:], 400),
                Step("PUT /a.json", "1", ["Origin": "https://example.com"], 403),
                Step("GET /a", nil, [:], 404),
            ]
        ),
        Story(
            "server values",
            [
                Step("PUT /n.json", #"{".sv":{"increment":2}}"#, [:], 200, "2"),
                Step("PUT /n.json", #"{".sv":{"increment":3}}"#, [:], 200, "5"),
                Step("PATCH /.json", #"{"n":{".sv":{"increment":0.5}}}"#, [:], 200, #"{"n":5.5}"#),
                Step("PUT /n.json", #"{"at":{".sv":"timestamp"}}"#),
                Step("GET /n.json?shallow=true", nil, [:], 200, #"{"at":true}"#),
            ]
        ),
        Story(
            "text beyond ASCII",
            [
                Step(
                    "PUT /Am%C3%A9lie/%F0%9F%8E%AC.json", #"{"caf\u00e9":"é\u0000 \ud83c\udfac"}"#, [:], 200,
                    #"{"café":"é\u0000 🎬"}"#),
                Step("GET /Am%C3%A9lie.json", nil, [:], 200, #"{"🎬":{"café":"é\u0000 🎬"}}"#),
                Step(#"PUT /k.json"#, #"{"a\"b\\c":{"d":1}}"#),
                Step("GET /k/a%22b%5Cc/d.json", nil, [:], 200, "1"),
            ]
        ),
    ]

    @Test(arguments: stories) func `a server answers as Firebase does`(_ story: Story) async throws {
        try await withServer { client in
            for step in story.steps { try await step.perform(client) }
        }
    }

    static let unordered =
        #"{"a":{"n":3,"t":"x"},"b":{"n":1},"c":{"n":2,"t":"y"},"d":{"t":true},"10":{"n":2},"9":{"n":5}}"#
    static let queries: [(String, String)] = [
        ("orderBy=%22n%22&startAt=2&endAt=3", "10 a c"),
        ("orderBy=%22n%22&startAfter=2", "9 a"),
        ("orderBy=%22n%22&endBefore=2", "b d"),
        ("orderBy=%22n%22&equalTo=2", "10 c"),
        ("orderBy=%22n%22&equalTo=null", "d"),
        ("orderBy=%22n%22&startAt=2,%22c%22&limitToFirst=2", "a c"),
        ("orderBy=%22n%22&startAfter=2,%2210%22&limitToFirst=1", "c"),
        ("orderBy=%22n%22&limitToLast=2", "9 a"),
        ("orderBy=%22t%22&startAt=%22x%22", "a c"),
        ("orderBy=%22t%22&startAt=true&endAt=true", "d"),
        ("orderBy=%22$key%22&limitToFirst=3", "10 9 a"),
        ("orderBy=%22$key%22&startAt=%2210%22&limitToFirst=2", "10 a"),
        ("orderBy=%22$key%22&startAfter=%22b%22", "c d"),
        ("orderBy=%22$key%22&limitToLast=1", "d"),
        ("orderBy=%22$priority%22&limitToLast=1", "d"),
        ("orderBy=%22n%22&startAt=100", ""),
    ]

    @Test(arguments: queries) func `a query selects children`(_ query: String, _ keys: String) async throws {
        try await withServer { client in
            _ = try await client.send("PUT", "/q.json", RestTests.unordered)
            let answer = try await client.get("/q.json?\(query)")
            let found = try JSONReader.members(Array(answer.utf8)).keys.sorted()
            #expect(found.joined(separator: " ") == keys)
        }
    }

    @Test func `pages in key order lead through all keys once`() async throws {
        try await withServer { client in
            let keys = (0..<400).map { $0 % 3 == 0 ? "\($0)" : "k-\($0 * 7919 % 400)" }
            let members = Set(keys).map { "\"\($0)\":1" }.joined(separator: ",")
            try await Step("PUT /q.json?print=silent", "{\(members)}", [:], 204).perform(client)
            var found: [String] = []
            var start = ""
            while true {
                let answer = try await client.get("/q.json?orderBy=%22$key%22&limitToFirst=37\(start)")
                let page = try JSONReader.members(Array(answer.utf8)).keys.map { WireKey(unchecked: $0) }
                guard let last = page.max(by: WireKey.precedesInKeyOrder) else { break }
                found += page.map(\.text)
                start = "&startAfter=%22\(last.text)%22&endBefore=%22k-z%22"
            }
            #expect(found.sorted() == Set(keys).sorted())
        }
    }

    @Test(arguments: [
        "startAt=5", "orderBy=n&startAt=5", "orderBy=%22n%22&startAt=1&equalTo=2", "orderBy=%22$key%22&startAt=5",
        "orderBy=%22n%22&limitToFirst=1&limitToLast=1", "orderBy=%22n%22&limitToFirst=0", "orderBy=%22n%22&startAt={}",
        "orderBy=%22n%22&startAt=1&startAfter=1", "orderBy=%22n%22&orderBy=%22m%22", "orderBy=%22%22",
    ]) func `an impossible query is refused`(_ query: String) async throws {
        try await withServer { client in
            try await Step("GET /q.json?\(query)", nil, [:], 400).perform(client)
        }
    }

    @Test func `etags follow content, not the way it was written`() async throws {
        try await withServer { client in
            let first = try await client.send("PUT", "/a.json", #"{"b":{"c":1},"d":[]}"#, RestTests.etag)
            _ = try await client.send("PUT", "/x/b/c.json", "1.0")
            let second = try await client.send("GET", "/x.json", nil, RestTests.etag)
            let tag = try #require(first.headers["etag"])
            #expect(second.headers["etag"] == tag)
            try await Step("GET /a.json", nil, ["if-none-match": tag], 304, "").perform(client)
            let changed = try await client.send("GET", "/a.json", nil, ["if-none-match": "other"])
            #expect(changed.status == 200 && changed.headers["etag"] == tag)
            let put = try await client.send("PUT", "/a.json", "2", ["if-match": tag])
            #expect(put.status == 200 && put.headers["etag"] == nil)
            let lost = try await client.send("DELETE", "/a.json", nil, ["if-match": tag])
            #expect(lost.status == 412 && lost.body == "2")
            let current = try #require(lost.headers["etag"])
            let gone = try await client.send(
                "DELETE", "/a.json", nil, ["if-match": current, "X-Firebase-ETag": "true"])
            #expect(gone.status == 200 && gone.headers["etag"] == "null_etag")
        }
    }

    @Test func `answers carry type, date and no caching`() async throws {
        try await withServer { client in
            let answer = try await client.send("GET", "/a.json")
            #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
            #expect(answer.headers["cache-control"] == "no-cache")
            #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `a large value is split, and read back whole`() async throws {
        try await withServer { client in
            var movies: [String: JSONValue] = [:]
            for number in 0..<3000 {
                movies["movie-\(number)"] = [
                    "title": .string("Film \(number)"), "year": .integer(Int64(1900 + number % 120)),
                ]
            }
            let text = String(decoding: JSONWriter.text(movies), as: UTF8.self)
            try await Step("PUT /movies.json?print=silent", text, [:], 204).perform(client)
            try await Step("GET /movies.json", nil, [:], 200, text).perform(client)
            try await Step("GET /movies/movie-17/title.json", nil, [:], 200, #""Film 17""#).perform(client)
            try await Step("PUT /movies/movie-17/title.json", #""New""#, [:], 200, #""New""#).perform(client)
            movies["movie-17"] = ["title": "New", "year": 1917]
            let whole = try await client.send("GET", "/movies.json", nil, RestTests.etag)
            #expect(whole.body == String(decoding: JSONWriter.text(movies), as: UTF8.self))
            #expect(whole.headers["etag"] == Node.etag(Node(canonical: JSONWriter.text(movies))).text)
        }
    }
}
