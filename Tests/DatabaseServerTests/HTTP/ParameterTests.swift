import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct ParameterTests {
    static let accepted: [(String, [String])] = [
        ("auth=x&access_token=&ac=t&ns=n", ["GET", "PUT", "POST", "PATCH", "DELETE"]),
        ("auth_variable_override=null", ["GET", "PUT", "POST", "PATCH", "DELETE"]),
        ("auth_variable_override=%7B%22uid%22:%22u%22%7D", ["GET", "PUT", "POST", "PATCH", "DELETE"]),
        ("print=pretty", ["GET", "PUT", "POST", "PATCH", "DELETE"]),
        ("shallow=true", ["GET"]), ("shallow=false", ["GET"]), ("shallow=true&print=pretty", ["GET"]),
        ("format=export", ["GET"]), ("download=f", ["GET"]),
        ("timeout=1ms", ["GET"]), ("timeout=900s", ["GET"]), ("timeout=15min", ["GET"]), ("timeout=900000ms", ["GET"]),
        ("orderBy=%22$key%22", ["GET"]), ("orderBy=%22a/b/c%22&limitToLast=1&print=pretty&format=export", ["GET"]),
        ("writeSizeLimit=tiny", ["PUT", "POST", "PATCH", "DELETE"]),
        ("writeSizeLimit=unlimited&disableTriggers=true", ["PUT", "POST", "PATCH", "DELETE"]),
        ("disableTriggers=false", ["PUT", "POST", "PATCH", "DELETE"]),
    ]

    @Test(arguments: accepted) func `a parameter goes with some methods and is refused with all others`(
        _ parameters: String, _ methods: [String]
    ) async throws {
        try await withServer { client in
            for method in ["GET", "PUT", "POST", "PATCH", "DELETE"] {
                let body = method == "GET" || method == "DELETE" ? nil : #"{"a":{"b":1}}"#
                let answer = try await client.send(
                    method, "/x.json?\(parameters)", body, ["Authorization": "Bearer owner"])
                #expect(answer.status == (methods.contains(method) ? 200 : 400), "\(method): \(answer.body)")
                if answer.status == 400 { #expect(answer.body.hasPrefix(#"{"error":""#)) }
            }
        }
    }

    static let refused = [
        "unknown", "unknown=1", "=1", "print=", "print=loud", "print", "print=pretty&print=silent", "shallow=",
        "shallow=1",
        "shallow=true&format=export", "format=", "format=json", "callback=",
        "callback=a(", "callback=a..b", "callback=1a", "callback=alert%2F%2F", "timeout=", "timeout=0s", "timeout=-1s",
        "timeout=5", "timeout=16min", "timeout=901s", "timeout=1.5s", "timeout=99999999999999999999s", "timeout=1h",
        "auth=a&auth=b", "ns=a%01", "ns=%0A", "ns=a&ns=b", "auth_variable_override={", "auth_variable_override=",
        "x=%zz", "print=%ff",
        "orderBy=%22$key%22&orderBy=%22$key%22", "limitToFirst=1", "orderBy=%22$key%22&limitToFirst=1.5",
        "orderBy=%22$key%22&limitToFirst=%221%22", "orderBy=%22$key%22&limitToFirst=-1", "orderBy=$key", "orderBy=",
        "orderBy=%22$other%22", "orderBy=%22a.b%22", "orderBy=5", "orderBy=%22a%22&startAt=[1]",
        "orderBy=%22a%22&startAt=%22x", "orderBy=%22a%22&startAt=1,2", "orderBy=%22a%22&startAt=1,%22k%22,1",
        "orderBy=%22a%22&startAt=", "orderBy=%22a%22&equalTo=1&endBefore=2", "orderBy=%22a%22&endAt=1&endBefore=2",
    ]

    @Test func `what is no request is refused with a reason`() async throws {
        try await withServer { client in
            for parameters in ParameterTests.refused {
                let answer = try await client.send("GET", "/x.json?\(parameters)")
                #expect(answer.status == 400 && answer.body.hasPrefix(#"{"error":""#), "\(parameters): \(answer)")
            }
            let answer = try await client.get("/x.json?orderBy=name&limitToFirst=1")
            #expect(answer == #"{"error":"orderBy must be a valid JSON encoded path"}"#)
        }
    }

    static let downloads: [(String, String)] = [
        ("a.json", #"attachment; filename="a.json""#), ("", "attachment"),
        ("a%22b.json", #"attachment; filename="a_b.json"; filename*=UTF-8''a%22b.json"#),
        ("caf%C3%A9%0D%0A.json", #"attachment; filename="caf___.json"; filename*=UTF-8''caf%C3%A9%0D%0A.json"#),
    ]

    @Test(arguments: downloads) func `a download has a name`(_ name: String, _ header: String) async throws {
        try await withServer { client in
            let answer = try await client.send("GET", "/a.json?download=\(name)")
            #expect(answer.headers["content-disposition"] == header)
            let refused = try await client.send("GET", "/a.json?download=\(name)&unknown=1")
            #expect(refused.headers["content-disposition"] == nil)
        }
    }

    @Test func `a callback makes a script of the answer`() async throws {
        try await withServer { client in
            let rules = #"{"rules":{".read":true,".write":true}}"#
            try await Step("PUT /.settings/rules.json", rules).perform(client)
            try await Step("PUT /a.json", #"{"b":1}"#).perform(client)
            let answer = try await client.send("GET", "/a.json?callback=app.show")
            #expect(answer.body == #"/**/app.show({"b":1});"#)
            #expect(answer.headers["content-type"] == "application/javascript; charset=utf-8")
            let info = try await client.send("GET", "/.info/connected.json?callback=app.show")
            #expect(info.body == "/**/app.show(true);")
        }
    }

    @Test func `a read that takes longer than its timeout is refused`() async throws {
        try await withServer { client in
            let members = (0..<30_000).map { #""k\#($0)":{"n":\#($0)}"# }.joined(separator: ",")
            try await Step("PUT /big.json?print=silent", "{\(members)}", [:], 204).perform(client)
            for query in ["", "&orderBy=%22n%22&limitToLast=5", "&orderBy=%22$key%22", "&print=pretty"] {
                let answer = try await client.send("GET", "/big.json?timeout=1ms\(query)")
                #expect(answer.status == 400 && answer.body.contains("timeout"), "\(query)")
                try await Step("GET /big.json?timeout=15min\(query)").perform(client)
            }
        }
    }

    @Test func `a write that puts or removes too much for its limit is refused`() async throws {
        try await withServer { client in
            let text = #"""# + String(repeating: "x", count: 3 << 20) + #"""#
            let tooBig = #"{"error":"WRITE_TOO_BIG: "#
            for key in ["a", "b"] {
                try await Step("PUT /big/\(key).json?print=silent&writeSizeLimit=tiny", text, [:], 204).perform(client)
            }
            for step in [
                Step("DELETE /big.json?writeSizeLimit=tiny", nil, [:], 400),
                Step("PUT /big.json?writeSizeLimit=tiny", "1", [:], 400),
                Step("PUT /big/a.json?writeSizeLimit=tiny", text, [:], 400),
                Step("PATCH /.json?writeSizeLimit=tiny", #"{"big":null}"#, [:], 400),
            ] {
                let parts = step.request.split(separator: " ").map(String.init)
                let answer = try await client.send(parts[0], parts[1], step.body)
                #expect(answer.status == 400 && answer.body.hasPrefix(tooBig), "\(step.request)")
            }
            try await Step("PATCH /big.json?writeSizeLimit=tiny", #"{"a":null}"#).perform(client)
            try await Step("DELETE /big.json?writeSizeLimit=small", nil, [:], 200, "null").perform(client)
        }
    }
}
