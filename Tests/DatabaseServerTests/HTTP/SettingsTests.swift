import TestSupport
import Testing

@testable import DatabaseServer

/// What tools and client libraries ask of a server besides data.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SettingsTests {
    static let owner = RuledServerTests.owner

    static let unmixed = #"{"error":"Mixing 'shallow' and querying parameters is not supported"}"#

    static let stories: [Story] = [
        Story(
            "rules can be tried, and shown without comments",
            [
                Step(
                    "GET /.settings/rules.json?format=strict", nil, owner, 200,
                    #"{"rules":{".read":true,".write":true}}"#),
                Step("PUT /.settings/rules.json?dryRun=true", #"{"rules":{".read":"x"}}"#, owner, 400),
                Step("PUT /.settings/rules.json?dryRun=true", #"{"rules":{".read":false}}"#, owner),
                Step("GET /.json", nil, [:], 200, "null"),
                Step("PUT /.settings/rules.json", "{/*a*/\"rules\":{\".read\":false,//b\n}}", owner),
                Step(
                    "GET /.settings/rules.json?format=strict", nil, owner, 200, #"{"rules":{".read":false}}"#),
                Step("GET /.settings/rules.json?format=export", nil, owner, 400),
                Step("GET /.settings/rules.json?format=strict", nil, [:], 401),
            ]
        ),
        Story(
            "rules that have comments are shown as their author has laid them out, others for people",
            [
                Step("PUT /.settings/rules.json", #"{"rules":{".read":false}} // }"#, owner),
                Step("GET /.settings/rules.json?print=pretty", nil, owner, 200, #"{"rules":{".read":false}} // }"#),
                Step(
                    "GET /.settings/rules.json?print=pretty&format=strict", nil, owner, 200,
                    "{\n  \"rules\" : {\n    \".read\" : false\n  }\n}\n"),
                Step("PUT /.settings/rules.json", #"{"rules":{".read":true}}"#, owner),
                Step(
                    "GET /.settings/rules.json?print=pretty", nil, owner, 200,
                    "{\n  \"rules\" : {\n    \".read\" : true\n  }\n}\n"),
            ]
        ),
        Story(
            "a limit holds for writes that have none",
            [
                Step("GET /.settings/defaultWriteSizeLimit.json", nil, owner, 200, #""large""#),
                Step("PUT /.settings/defaultWriteSizeLimit.json", #""huge""#, owner, 400),
                Step("PUT /.settings/defaultWriteSizeLimit.json", #""tiny""#, owner, 200, #""tiny""#),
                Step("PUT /a.json?print=silent", "\"\(String(repeating: "a", count: 6 << 20))\"", owner, 400),
                Step(
                    "PUT /a.json?print=silent&writeSizeLimit=small",
                    "\"\(String(repeating: "a", count: 6 << 20))\"", owner, 204),
            ]
        ),
        Story(
            "whether triggers are checked is kept for who asks",
            [
                Step("GET /.settings/strictTriggerValidation.json", nil, owner, 200, #"{"value":true}"#),
                Step("PUT /.settings/strictTriggerValidation.json", #""off""#, owner, 400),
                Step("PUT /.settings/strictTriggerValidation.json", "false", owner, 200, #"{"value":false}"#),
                Step("GET /.settings/strictTriggerValidation.json", nil, owner, 200, #"{"value":false}"#),
                Step("GET /.settings/strictTriggerValidation.json?ns=other", nil, owner, 200, #"{"value":true}"#),
                Step("PUT /.settings/rules.json", #"{"rules":{".read":true,".write":true}}"#, owner),
                Step("GET /.settings/strictTriggerValidation.json", nil, [:], 401),
                Step("PUT /.settings/strictTriggerValidation.json", "true", [:], 401),
            ]
        ),
        Story(
            "databases are listed for administrators",
            [
                Step("PUT /a.json?ns=b", "1", owner), Step("PUT /a.json?ns=a", "1", owner),
                Step("GET /.inspect/databases.json?ns=x", nil, owner, 200, #"[{"name":"a"},{"name":"b"}]"#),
                Step("PUT /.settings/rules.json", #"{"rules":{".read":true}}"#, owner),
                Step("GET /.inspect/databases.json", nil, [:], 401),
                Step("PUT /.inspect/databases.json", "1", owner, 405),
            ]
        ),
        Story(
            "who asks is connected, and its clock is compared elsewhere",
            [
                Step("GET /.info/connected.json", nil, [:], 200, "true"),
                Step("GET /.info/serverTimeOffset.json", nil, [:], 200, "0"),
                Step("GET /.info/none.json", nil, [:], 200, "null"), Step("PUT /.info/connected.json", "1", [:], 405),
            ]
        ),
        Story(
            "a shallow read may have limits, as Google's command line sends them",
            [
                Step("PUT /l.json", #"{"a":{"n":3},"b":{"n":2},"c":{"n":1},"7":1}"#),
                Step("GET /l.json?shallow=true&limitToFirst=2", nil, [:], 200, #"{"7":true,"a":true}"#),
                Step("GET /l.json?limitToLast=1&shallow=true", nil, [:], 200, #"{"c":true}"#),
                Step(
                    "GET /l.json?shallow=true&limitToFirst=1&startAfter=a&timeout=40000ms", nil, [:], 200,
                    #"{"b":true}"#),
                Step("GET /l.json?shallow=true&limitToFirst=1&startAfter=%22b%22", nil, [:], 200, #"{"c":true}"#),
                Step("GET /l.json?shallow=true&limitToFirst=1&startAfter=7", nil, [:], 200, #"{"a":true}"#),
            ]
        ),
        Story(
            "a shallow read has no query",
            [
                Step("GET /l.json?shallow=true&orderBy=%22$key%22", nil, [:], 400, unmixed),
                Step("GET /l.json?shallow=true&orderBy=%22n%22&limitToFirst=1", nil, [:], 400, unmixed),
                Step("GET /l.json?shallow=true&startAt=%22a%22&limitToFirst=1", nil, [:], 400, unmixed),
                Step("GET /l.json?shallow=true&startAfter=a", nil, [:], 400, unmixed),
                Step("GET /l.json?shallow=false&limitToFirst=1", nil, [:], 400),
            ]
        ),
    ]

    @Test(arguments: stories) func `a setting is read and changed`(_ story: Story) async throws {
        try await withServer { client in
            for step in story.steps { try await step.perform(client) }
        }
    }

    @Test(arguments: [
        ("defaultWriteSizeLimit", #""small""#, #""small""#), ("strictTriggerValidation", "false", #"{"value":false}"#),
    ]) func `a setting outlives the server`(_ name: String, _ text: String, _ answer: String) async throws {
        let folder = try TemporaryFolder()
        let path = "/.settings/\(name).json"
        try await withServer(data: folder.path) { try await Step("PUT \(path)", text).perform($0) }
        try await withServer(data: folder.path) { try await Step("GET \(path)", nil, [:], 200, answer).perform($0) }
    }

    @Test func `a head is that of the whole answer`() async throws {
        try await withServer { client in
            try await Step("PUT /a.json", #"{"b":1}"#).perform(client)
            let answer = try await exchange(
                "HEAD /a.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
                with: client)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("Content-Length: 7\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: [
        ("gzip", true), ("deflate, gzip;q=0.5, br", true), ("*", true), ("gzip;q=0", false), ("br", false),
        ("gzip;q=0, *", false), ("", false),
    ]) func `a long answer is packed for who asks`(_ accepted: String, _ isPacked: Bool) async throws {
        try await withServer { client in
            let text = "\"\(String(repeating: "a", count: 5000))\""
            try await Step("PUT /a.json", text).perform(client)
            let answer = try await exchange(
                "GET /a.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: \(accepted)\r\nConnection: close\r\n\r\n",
                with: client)
            #expect(answer.contains("Content-Encoding: gzip") == isPacked)
            #expect((answer.utf8.count < 1000) == isPacked)
            try await Step("GET /a.json", nil, [:], 200, text).perform(client)
        }
    }

    @Test func `an answer that may be packed says so, packed or not`() async throws {
        try await withServer { client in
            try await Step("PUT /a.json", "\"\(String(repeating: "a", count: 5000))\"").perform(client)
            try await Step("PUT /b.json", "1").perform(client)
            let cases = [
                ("GET /a.json", "gzip", true), ("GET /a.json", "identity", true), ("HEAD /a.json", "gzip", true),
                ("GET /b.json", "gzip", false), ("GET /a.json?orderBy=1", "gzip", false),
            ]
            for (line, accepted, hasChoice) in cases {
                let answer = try await exchange(
                    "\(line) HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: \(accepted)\r\nConnection: close\r\n\r\n",
                    with: client)
                #expect(answer.hasPrefix("HTTP/1.1 "))
                #expect(answer.contains("Vary: Accept-Encoding\r\n") == hasChoice, "\(line) \(accepted)")
            }
        }
    }

    @Test func `what answers no request is sent as it is`() async throws {
        try await withServer { client in
            let body = String(repeating: " ", count: 2000) + "1"
            let answer = try await exchange(
                "PUT /a.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nExpect: 100-continue\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)garbage\r\n\r\n", with: client)
            #expect(answer.hasPrefix("HTTP/1.1 100"))
            #expect(answer.contains("HTTP/1.1 200") && answer.contains("HTTP/1.1 400"))
        }
    }
}
