import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct CrossOriginTests {
    static let stranger = ["Origin": "https://example.com"]
    static let secret = "a secret of its own"

    /// What pages meet where there is an administrator, but none whose token everybody knows.
    static func guarded(_ options: inout ServerConfiguration) {
        options.isEmulator = false
        options.setOwnSecret(secret)
    }

    static let refused: [(String, [String: String])] = [
        ("PUT /a.json", stranger), ("PATCH /a.json", stranger), ("POST /a.json", stranger),
        ("DELETE /a.json", stranger),
        ("OPTIONS /a.json", stranger), ("PUT /a.json", ["Origin": "null"]),
        ("POST /a.json", ["Origin": "null", "X-HTTP-Method-Override": "DELETE"]),
        ("POST /a.json?x-http-method-override=PUT", stranger), ("PUT /.settings/rules.json", stranger),
        ("GET /a.json", ["Host": "stranger.example"]), ("GET /a.json", ["Host": "localhost.stranger.example:9000"]),
        ("GET /a.json", ["Host": "stranger.example", "Accept": "text/event-stream"]),
        ("PUT /a.json", ["Sec-Fetch-Site": "same-site"]),
        ("PUT /a.json", ["Origin": "http://stranger.example:9000", "Host": "stranger.example:9000"]),
    ]

    @Test(arguments: refused) func `a stranger's page may not use a database without rules`(
        _ request: String, _ headers: [String: String]
    ) async throws {
        try await withServer(options: CrossOriginTests.guarded) { client in
            let parts = request.split(separator: " ").map(String.init)
            let answer = try await client.send(parts[0], parts[1], #"{"rules":{}}"#, headers)
            #expect(answer.status == 403 && answer.body.contains("without rules"))
            #expect(answer.headers["access-control-allow-origin"] == nil)
            #expect(try await client.get("/.json") == "null")
        }
    }

    @Test func `a script can't be made of a database without rules`() async throws {
        try await withServer(options: CrossOriginTests.guarded) { client in
            try await Step("GET /a.json?callback=f", nil, [:], 403).perform(client)
        }
    }

    @Test func `a page of the server's own address may write, and reading gives no page anything`() async throws {
        try await withServer(options: CrossOriginTests.guarded) { client in
            try await Step("PUT /a.json", "1", ["Origin": client.base, "Sec-Fetch-Site": "same-origin"]).perform(client)
            let answer = try await client.send("GET", "/a.json", nil, CrossOriginTests.stranger)
            #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func `where rules are loaded they decide, and pages are let in`() async throws {
        try await withServer(options: CrossOriginTests.guarded) { client in
            let rules = #"{"rules":{"open":{".read":true,".write":true}}}"#
            let owner = ["Authorization": "Bearer \(CrossOriginTests.secret)"]
            try await Step("PUT /.settings/rules.json?ns=db", rules, owner).perform(client)
            for method in ["PUT", "PATCH", "POST", "GET", "DELETE"] {
                let body = method == "GET" || method == "DELETE" ? nil : #"{"b":1}"#
                let answer = try await client.send(method, "/open.json?ns=db", body, CrossOriginTests.stranger)
                #expect(answer.status == 200)
                #expect(answer.headers["access-control-allow-origin"] == "*")
                #expect(answer.headers["access-control-expose-headers"] == "ETag")
            }
            let denied = try await client.send("PUT", "/closed.json?ns=db", "1", CrossOriginTests.stranger)
            #expect(denied.status == 401 && denied.headers["access-control-allow-origin"] == "*")
            let wrong = try await client.send("PUT", "/closed.json?ns=db&x=1", "1", CrossOriginTests.stranger)
            #expect(wrong.status == 400 && wrong.headers["access-control-allow-origin"] == "*")
            var question = CrossOriginTests.stranger
            question["Access-Control-Request-Method"] = "PATCH"
            question["Access-Control-Request-Headers"] = "x-firebase-etag, if-match"
            let answer = try await client.send("OPTIONS", "/open.json?ns=db&print=silent&shallow=true", nil, question)
            #expect(answer.status == 200)
            #expect(answer.headers["access-control-allow-origin"] == "*")
            #expect(answer.headers["access-control-allow-methods"] == "GET, PUT, PATCH, POST, DELETE")
            #expect(answer.headers["access-control-allow-headers"] == "x-firebase-etag, if-match")
        }
    }

    @Test func `a name that leads here must be known, or the sender an administrator`() async throws {
        try await withServer(options: {
            CrossOriginTests.guarded(&$0)
            $0.names = ["hub.example"]
        }) { client in
            let owner = "Bearer \(CrossOriginTests.secret)"
            for host in ["127.0.0.1:1", "[::1]:9000", "LOCALHOST", "db.localhost:80", "Hub.Example:9000"] {
                try await Step("PUT /a.json", "1", ["Host": host]).perform(client)
                try await Step("GET /a.json", nil, ["Host": host], 200, "1").perform(client)
            }
            try await Step("GET /a.json", nil, ["Host": "x.example", "Authorization": owner], 200, "1").perform(client)
        }
    }

    @Test func `no page of another origin may use an emulator, whose administrator everybody knows`() async throws {
        try await withServer { client in
            let owner = ["Authorization": "Bearer owner"]
            let page = owner.merging(CrossOriginTests.stranger) { first, _ in first }
            try await Step("GET /a.json", nil, page, 403).perform(client)
            try await Step("PUT /.settings/rules.json", #"{"rules":{".read":true}}"#, owner).perform(client)
            for request in ["GET /a.json", "PUT /a.json", "OPTIONS /a.json"] {
                try await Step(request, request.hasPrefix("PUT") ? "1" : nil, page, 403).perform(client)
            }
            try await Step("GET /a.json", nil, owner, 200, "null").perform(client)
        }
    }
}
