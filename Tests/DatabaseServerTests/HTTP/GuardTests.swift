import Foundation
import NIOCore
import TestSupport
import Testing

@testable import DatabaseServer
@testable import HTTPListening

/// What strangers may not do to a server.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct GuardTests {
    static let rules = """
        {"rules":{"signed":{".read":"auth != null","$id":{".write":"auth != null && newData.exists()"}},
        "drop":{".write":"!data.exists() && newData.isString()"},"blind":{".write":true},
        "once":{"$id":{".write":"$id.length > 3 && !data.exists()"}}}}
        """

    static let head = "Host: localhost\r\nContent-Length: 100000000\r\n\r\n"

    @Test(arguments: [
        ("PUT", "/signed/a"), ("PUT", "/signed"), ("PATCH", "/signed"), ("POST", "/signed"),
        ("PUT", "/drop"), ("PUT", "/nowhere"), ("PUT", "/once/abc"), ("PUT", "/.settings/rules"),
    ]) func `what can't be granted is refused before its body comes`(_ method: String, _ path: String) async throws {
        try await withServer { client in
            try await ruled(client)
            try await Step("PUT /drop.json", "1", RuledServerTests.owner).perform(client)
            let answer = try await exchange("\(method) \(path).json HTTP/1.1\r\n\(GuardTests.head)", with: client)
            #expect(answer.hasPrefix("HTTP/1.1 401") && answer.contains("Connection: close"), "\(answer)")
        }
    }

    @Test(arguments: [
        ("/nowhere.json", "Content-Length: 100", "401"), ("/nowhere.json", "Transfer-Encoding: chunked", "401"),
        ("/drop.json?auth=a.b.c", "Content-Length: 100", "401"), ("/a.b/c.json", "Content-Length: 100", "400"),
        ("/drop.json", "Content-Length: 9223372036854775808", "413"),
        ("/drop.json", "Expect: 100-continue\r\nContent-Length: 100000000", "413"),
    ]) func `no body is waited for, or asked for, where the head says enough`(
        _ target: String, _ fields: String, _ status: String
    ) async throws {
        try await withServer { client in
            try await ruled(client)
            let answer = try await exchange(
                "PUT \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n", with: client)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)") && answer.contains("Connection: close"), "\(answer)")
        }
    }

    @Test func `a body in pieces that gets too long is refused as such`() async throws {
        try await withServer(options: { $0.maxBody = 4096 }) { client in
            try await ruled(client)
            let piece = "100\r\n\(String(repeating: "a", count: 256))\r\n"
            let answer = try await exchange(
                "PUT /blind.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: piece, count: 5), with: client)
            #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
        }
    }

    @Test func `what can't be read as a request is told in words`() async throws {
        try await withServer { client in
            let answer = try await exchange("FOO /a.json HTTP/1.1\r\nHost: localhost\r\n\r\n", with: client)
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains(#"{"error":""#), "\(answer)")
        }
    }

    @Test(arguments: [
        ("PUT", "/signed/a", "auth=owner"), ("PUT", "/once/abcd", "auth="), ("POST", "/once", "auth="),
        ("PATCH", "/", "auth="), ("PATCH", "/once", "auth="), ("PUT", "/blind/a/b", "auth="),
    ]) func `what may be granted is waited for`(_ method: String, _ path: String, _ query: String) async throws {
        try await withServer { client in
            try await ruled(client)
            let body = method == "PATCH" ? #"{"blind":{"x":1}}"# : "1"
            let answer = try await exchange(
                "\(method) \(path).json?\(query) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n\(body)", with: client)
            #expect(answer.hasPrefix("HTTP/1.1 100"), "\(answer)")
        }
    }

    @Test(arguments: [
        ("evil.example", true, "403"), ("evil.example", false, "200"), ("localhost", true, "200"),
    ]) func `an emulator answers to no stranger's name, whatever its rules`(
        _ host: String, _ isEmulator: Bool, _ status: String
    ) async throws {
        let folder = try TemporaryFolder()
        let rules = folder.path + "/rules.json"
        try #"{"rules":{".read":true}}"#.write(toFile: rules, atomically: true, encoding: .utf8)
        try await withServer(options: { ($0.isEmulator, $0.rules) = (isEmulator, rules) }) { client in
            let answer = try await exchange(
                "GET /a.json?auth=\(isEmulator ? "owner" : "") HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n",
                with: client)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
        }
    }

    /// What ends for coming late alone may come as slowly as it likes within one interval.
    @Test(arguments: [
        BodyRate(interval: .milliseconds(50), minBytes: 100),
        BodyRate(interval: .milliseconds(50), minBytes: 0, usefulBytes: 100_000, patience: .milliseconds(200)),
    ]) func `a body that only trickles ends`(_ rate: BodyRate) async throws {
        try await withServer(options: { $0.bodyRate = rate }) { client in
            let answer = try await exchange("PUT /a.json HTTP/1.1\r\n\(GuardTests.head)\"aaa", with: client)
            #expect(answer.hasPrefix("HTTP/1.1 408"), "\(answer)")
        }
    }

    @Test(arguments: [
        (1 << 20, TimeAmount.zero, TimeAmount.zero), (30 * 1024, .zero, .seconds(30)),
        (30 * 1024, .seconds(30), .seconds(60)), (90 * 1024, .seconds(30), .zero),
        (91 * 1024, .seconds(30), .zero), (0, .seconds(30), .seconds(90)),
    ]) func `a body that was early may not be late for it`(_ bytes: Int, _ late: TimeAmount, _ later: TimeAmount) {
        #expect(BodyRate().lateness(after: bytes, from: late) == later)
    }

    @Test func `a connection on which nothing comes ends`() async throws {
        try await withServer(options: { $0.headTime = .milliseconds(50) }) { client in
            let answer = try await exchange("", with: client)
            #expect(answer.isEmpty, "\(answer)")
        }
    }

    @Test func `a body of nobody may be a quarter as long as others`() async throws {
        try await withServer(options: { $0.maxBody = 4096 }) { client in
            try await ruled(client)
            let text = "\"\(String(repeating: "a", count: 1500))\""
            try await Step("PUT /blind.json", text, [:], 413).perform(client)
            try await Step("PUT /blind.json", text, RuledServerTests.owner).perform(client)
            try await Step("PUT /blind.json", "\"\(text)\(text)\(text)\"", RuledServerTests.owner, 400).perform(client)
        }
    }

    @Test func `bodies that come from one address leave room for others`() async throws {
        try await withServer(options: { $0.maxBody = 1 << 20 }) { client in
            try await ruled(client)
            let (server, elsewhere) = (try client.address(), try SocketAddress(ipAddress: "127.0.0.2", port: 0))
            let body = String(repeating: "a", count: 120_000)
            let begun = "PUT /blind.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 120002\r\n\r\n\"\(body)"
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<3 {
                    group.addTask { try await exchange(begun, at: server, from: elsewhere) { !$0.isEmpty } }
                }
                // Two of them fill what one address has, and go on waiting.
                let refused = try await group.next()
                #expect(refused?.hasPrefix("HTTP/1.1 503") == true, "\(refused ?? "")")
                let large = "\"\(String(repeating: "b", count: 200_000))\""
                try await Step("PUT /blind.json?print=silent", large, [:], 204).perform(client)
                group.cancelAll()
            }
        }
    }

    @Test func `neither sizes nor sums tell what may not be read`() async throws {
        try await withServer { client in
            try await ruled(client)
            let large = "\"\(String(repeating: "a", count: 6 << 20))\""
            try await Step("PUT /blind/x.json?print=silent", large, RuledServerTests.owner, 204).perform(client)
            try await Step("DELETE /blind/x.json?writeSizeLimit=tiny", nil, RuledServerTests.owner, 400).perform(client)
            try await Step("DELETE /blind/x.json?writeSizeLimit=tiny").perform(client)
            try await Step("PUT /blind/n.json", "7", RuledServerTests.owner).perform(client)
            let sum = #"{".sv":{"increment":0}}"#
            let answer = try await client.send("PUT", "/blind/n.json", sum, ["X-Firebase-ETag": "true"])
            #expect(answer.status == 200 && answer.body == "null" && answer.headers["etag"] == nil)
            try await Step("PATCH /blind.json", #"{"n":\#(sum)}"#, [:], 200, "null").perform(client)
            try await Step("PUT /blind/n.json", sum, RuledServerTests.owner, 200, "7").perform(client)
        }
    }

    @Test func `nobody makes a database`() async throws {
        try await withServer { client in
            for request in ["PUT /a.json?ns=new", "PATCH /.json?ns=new", "PUT /.settings/rules.json?ns=new"] {
                try await Step(request, #"{"rules":{}}"#, [:], 401).perform(client)
            }
            try await Step("PUT /a.json?ns=new", "1", RuledServerTests.owner).perform(client)
            try await Step("PUT /a.json?ns=new", "2").perform(client)
        }
    }

    private func ruled(_ client: TestClient) async throws {
        try await Step("PUT /.settings/rules.json", GuardTests.rules, RuledServerTests.owner).perform(client)
    }
}

struct BodyBudgetTests {
    @Test func `what is taken is given back with its share`() {
        let budget = BodyBudget(limit: 100, anonymousLimit: 30, networkLimit: 30)
        var nobody: BodyShare? = BodyShare(of: budget, for: .nobody(nil))
        let somebody = BodyShare(of: budget, for: .somebody)
        #expect(nobody?.take(20) == true && nobody?.take(11) == false && nobody?.take(10) == true)
        #expect(somebody.take(70) && !somebody.take(1) && budget.bytes == 100)
        nobody = nil
        #expect(budget.bytes == 70 && somebody.take(30))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false), ("2001:db8:1:2::1", "2001:db8:1:2:3::", true),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", false), ("::1", "127.0.0.1", false),
    ]) func `one network has its share and no more`(_ one: String, _ other: String, _ isSame: Bool) throws {
        let networks = try [one, other].map { RemoteNetwork(try SocketAddress(ipAddress: $0, port: 1)) }
        #expect((networks[0] == networks[1]) == isSame)
        let budget = BodyBudget(limit: 100, anonymousLimit: 30, networkLimit: 20)
        var share: BodyShare? = BodyShare(of: budget, for: .nobody(networks[0]))
        let next = BodyShare(of: budget, for: .nobody(networks[1]))
        #expect(share?.take(20) == true && share?.take(1) == false)
        #expect(next.take(10) != isSame && !next.take(11))
        share = nil
        #expect(next.take(10))
    }
}

struct KnownHostsTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("10.1:80", true), ("[::1]:9000", true), ("localhost", true), ("a.localhost:1", true),
        ("hub.lan", true), ("HUB.LAN:9000", true), ("hub.lan.", true), ("localhost.:1", true), ("nas.home", true),
        ("hub.lan..", false), (".", false), ("x.hub.lan", false), ("evil.example", false), ("", false),
        ("[::1]", true), ("[::ffff:1.2.3.4]:9", true), ("localhost:", true), ("2130706433", true),
        ("[evil.example]", false), ("[::1].evil.example", false), ("[::1]x", false), ("[]", false), ("[::1", false),
        ("localhost:abc", false), ("127.0.0.1:80@evil.example", false), ("999.1.1.1", false), ("1.2.3.4.5", false),
        ("1..2", false), (":80", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example", false),
        ("0x7f.1", false),
    ]) func `a host is known that no stranger's page can have`(_ authority: String, _ expected: Bool) {
        #expect(KnownHosts(["hub.lan", "nas.home."]).contain(authority) == expected)
    }
}
