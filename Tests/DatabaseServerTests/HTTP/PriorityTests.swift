import DatabaseTree
import FirebaseWire
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct PriorityTests {
    static let stories: [Story] = [
        Story(
            "a priority shows in exports alone",
            [
                Step("PUT /x.json", #"{".priority":3,"b":{".value":"leaf",".priority":"p"},"a":[1,2]}"#),
                Step("GET /x.json", nil, [:], 200, #"{"a":[1,2],"b":"leaf"}"#),
                Step("GET /x/b.json", nil, [:], 200, #""leaf""#),
                Step("GET /x.json?shallow=true", nil, [:], 200, #"{"a":true,"b":true}"#),
                Step("GET /x/b.json?shallow=true", nil, [:], 200, #""leaf""#),
                Step(
                    "GET /x.json?format=export", nil, [:], 200,
                    #"{".priority":3,"a":{"0":1,"1":2},"b":{".priority":"p",".value":"leaf"}}"#),
                Step("GET /x/.priority.json", nil, [:], 200, "3"),
                Step("GET /x/a/.priority.json", nil, [:], 200, "null"),
                Step("GET /none/.priority.json", nil, [:], 200, "null"),
            ]
        ),
        Story(
            "a priority is written alone, beside its node, and by a patch",
            [
                Step("PUT /x.json", #"{"a":1,"b":{"c":2}}"#),
                Step("PUT /x/a/.priority.json", "1", [:], 200, "1"),
                Step("PUT /x/.priority.json?print=silent", #""top""#, [:], 204, ""),
                Step("PATCH /x.json", #"{"b/.priority":-0.5,"d":4}"#, [:], 200, #"{"d":4,"b/.priority":-0.5}"#),
                Step(
                    "GET /x.json?format=export", nil, [:], 200,
                    #"{".priority":"top","a":{".priority":1,".value":1},"b":{".priority":-0.5,"c":2},"d":4}"#),
                Step("PATCH /x.json", #"{".priority":null,"a/.priority":null}"#),
                Step("DELETE /x/b/.priority.json", nil, [:], 200, "null"),
                Step("GET /x.json?format=export", nil, [:], 200, #"{"a":1,"b":{"c":2},"d":4}"#),
            ]
        ),
        Story(
            "a priority lives as long as its node",
            [
                Step("PUT /x/.priority.json", "1", [:], 200, "1"),
                Step("GET /.json?format=export", nil, [:], 200, "null"),
                Step("PUT /x.json", #"{".priority":1,"a":{".priority":2,"b":1}}"#),
                Step("DELETE /x/a/b.json"),
                Step("GET /.json?format=export", nil, [:], 200, "null"),
                Step("PUT /x.json", #"{".priority":1,".value":5}"#),
                Step("PUT /x/a.json", "1"),
                Step("GET /x.json?format=export", nil, [:], 200, #"{".priority":1,"a":1}"#),
                Step("PUT /x.json", #"{"a":2}"#),
                Step("GET /x.json?format=export", nil, [:], 200, #"{"a":2}"#),
            ]
        ),
        Story(
            "a server value may be a priority, or beside one",
            [
                Step("PUT /x.json", #"{".sv":{"increment":2},".priority":1}"#, [:], 200, "2"),
                Step("PUT /x.json", #"{".value":{".sv":{"increment":2}},".priority":1}"#, [:], 200, "4"),
                Step("PUT /x/.priority.json", #"{".sv":{"increment":2}}"#, [:], 200, "3"),
                Step("GET /x.json?format=export", nil, [:], 200, #"{".priority":3,".value":4}"#),
            ]
        ),
        Story(
            "what is no priority is refused",
            [
                Step("PUT /x.json", "1"),
                Step("PUT /x/.priority.json", "true", [:], 400), Step("PUT /x/.priority.json", "{}", [:], 400),
                Step("PUT /x/.priority.json", "", [:], 400), Step("POST /x/.priority.json", "1", [:], 400),
                Step("PATCH /x/.priority.json", "{}", [:], 400), Step("GET /x/.priority/a.json", nil, [:], 400),
                Step("PUT /x/.priority.json", "1", ["if-match": "null_etag"], 400),
                Step("PUT /x.json", #"{".priority":{"a":1},"b":1}"#, [:], 400),
                Step("GET /x/.value.json", nil, [:], 400), Step("PUT /x/.value.json", "1", [:], 400),
                Step("GET /x.json?format=export", nil, [:], 200, "1"),
            ]
        ),
        Story(
            "a priority counts for conditions, as content does",
            [
                Step("PUT /x.json", "1", ["if-match": "null_etag"]),
                Step("PUT /x/.priority.json", "1"),
                Step("PUT /x.json", "2", ["if-match": Node.etag(Node(canonical: Array("1".utf8))).text], 412, "1"),
            ]
        ),
        Story(
            "queries order by priority: none, numbers, strings, then keys",
            [
                Step(
                    "PUT /q.json",
                    #"{"a":{".priority":"x",".value":1},"b":{".priority":10,"n":1},"c":1,"d":{".priority":9,"n":2},"#
                        + #""e":{".priority":"x",".value":3}}"#),
                Step(#"GET /q.json?orderBy="$priority"&limitToFirst=2"#, nil, [:], 200, #"{"c":1,"d":{"n":2}}"#),
                Step(#"GET /q.json?orderBy="$priority"&limitToLast=1"#, nil, [:], 200, #"{"e":3}"#),
                Step(
                    #"GET /q.json?orderBy="$priority"&startAt=9&endAt=10"#, nil, [:], 200, #"{"b":{"n":1},"d":{"n":2}}"#
                ),
                Step(
                    #"GET /q.json?orderBy="$priority"&startAfter=9&endBefore="x","b""#, nil, [:], 200,
                    #"{"a":1,"b":{"n":1}}"#),
                Step(#"GET /q.json?orderBy="$priority"&equalTo="x","e""#, nil, [:], 200, #"{"e":3}"#),
                Step(#"GET /q.json?orderBy="$priority"&equalTo=null"#, nil, [:], 200, #"{"c":1}"#),
                Step(#"GET /q.json?orderBy="$priority"&startAt=true"#, nil, [:], 400),
                Step(#"GET /q.json?orderBy="$value"&equalTo=3"#, nil, [:], 200, #"{"e":3}"#),
                Step(
                    #"GET /q.json?orderBy="$value"&equalTo=3&format=export"#, nil, [:], 200,
                    #"{"e":{".priority":"x",".value":3}}"#),
                Step(#"GET /q.json?orderBy="$key"&limitToFirst=1"#, nil, [:], 200, #"{"a":1}"#),
                Step(#"GET /q.json?orderBy="n"&startAt=2"#, nil, [:], 200, #"{"d":{"n":2}}"#),
            ]
        ),
    ]

    @Test(arguments: stories) func `a server keeps priorities as Firebase does`(_ story: Story) async throws {
        try await withServer { client in
            for step in story.steps {
                var step = step
                step.request = step.request.replacing("\"", with: "%22")
                try await step.perform(client)
            }
        }
    }

    @Test func `priorities outlive the server`() async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            try await Step("PUT /x.json", #"{".priority":3,"b":1}"#).perform(client)
        }
        try await withServer(data: folder.path) { client in
            try await Step("GET /x.json", nil, [:], 200, #"{"b":1}"#).perform(client)
            try await Step("GET /x/.priority.json", nil, [:], 200, "3").perform(client)
        }
    }

    @Test func `streams tell plain values, or all with format=export`() async throws {
        try await withServer { client in
            try await Step("PUT /x.json", #"{"a":{".priority":1,".value":"v"},"l":[1]}"#).perform(client)
            try await client.listen("/x.json") { plain in
                try await client.listen("/x.json?format=export") { export in
                    #expect(try await plain.next() == #"put {"path":"/","data":{"a":"v","l":[1]}}"#)
                    #expect(
                        try await export.next()
                            == #"put {"path":"/","data":{"a":{".priority":1,".value":"v"},"l":{"0":1}}}"#)
                    try await Step("PUT /x/a/.priority.json", "2").perform(client)
                    #expect(try await plain.next() == #"put {"path":"/a","data":"v"}"#)
                    #expect(try await export.next() == #"put {"path":"/a","data":{".priority":2,".value":"v"}}"#)
                    try await Step("PATCH /x.json", #"{"l":["z"],"a/.priority":null}"#).perform(client)
                    #expect(try await plain.next() == #"patch {"path":"/","data":{"l":["z"],"a":"v"}}"#)
                    #expect(try await export.next() == #"patch {"path":"/","data":{"l":{"0":"z"},"a":"v"}}"#)
                }
            }
        }
    }

    @Test func `rules see priorities, and plain values beside them`() async throws {
        let rules = #"""
            {"rules":{".read":true,"$id":{
                ".write":"newData.val() == 'v' && (newData.getPriority() == null || newData.getPriority() > data.getPriority())"
            }}}
            """#
        try await withServer { client in
            try await Step("PUT /.settings/rules.json", rules).perform(client)
            try await Step("PUT /a.json", #""v""#).perform(client)
            try await Step("PUT /b.json", #"{".priority":5,".value":"w"}"#, [:], 401).perform(client)
        }
    }
}
