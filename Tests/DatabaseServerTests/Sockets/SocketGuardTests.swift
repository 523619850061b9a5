import Foundation
import HTTPListening
import Logging
import NIOCore
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Who gets a session, and how it ends.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SocketGuardTests {
    struct Knock: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var host: String?
        var fields = ""
        var isEmulator = false
        var hasRules = false
        var status = "101"
    }

    static let knocks = [
        Knock(testDescription: "an app"),
        Knock(testDescription: "localhost", host: "localhost:9000"),
        Knock(testDescription: "a name that nobody gave", host: "evil.example", status: "403"),
        Knock(testDescription: "the same under rules", host: "evil.example", hasRules: true),
        Knock(testDescription: "a name that --host gives", host: "hub.example:9000"),
        Knock(testDescription: "a page", fields: "Origin: http://evil.example\r\n", status: "403"),
        Knock(testDescription: "a page under rules", fields: "Origin: http://evil.example\r\n", hasRules: true),
        Knock(testDescription: "a page without an origin", fields: "Origin: null\r\n", status: "403"),
        Knock(
            testDescription: "a page at an emulator", fields: "Origin: http://evil.example\r\n", isEmulator: true,
            hasRules: true, status: "403"),
        Knock(testDescription: "an own page", host: "127.0.0.1:9000", fields: "Origin: http://127.0.0.1:9000\r\n"),
        Knock(
            testDescription: "an own page by name", host: "hub.example", fields: "Origin: https://hub.example\r\n",
            isEmulator: true),
        Knock(
            testDescription: "a name that points here, and is its own", host: "evil.example",
            fields: "Origin: http://evil.example\r\n", isEmulator: true, hasRules: true, status: "403"),
    ]

    @Test(arguments: knocks) func `a session is for whom REST is`(_ knock: Knock) async throws {
        let folder = try TemporaryFolder()
        try Data(#"{"rules":{".read":true,".write":true}}"#.utf8).write(to: URL(filePath: folder("rules.json")))
        try await withServer(options: { options in
            options.isEmulator = knock.isEmulator
            options.names = ["hub.example"]
            if knock.hasRules { options.rules = folder("rules.json") }
        }) { client in
            try await client.withSocket("v=5", host: knock.host, fields: knock.fields) { socket in
                #expect(socket.head.hasPrefix("HTTP/1.1 \(knock.status) "))
                if knock.status == "101" { #expect(socket.hello["h"]?.text == knock.host ?? client.authority) }
            }
        }
    }

    @Test(arguments: [
        ("GET /.lp?start=t&cb=1&v=5&ns=x HTTP/1.1\r\n", "404"), ("GET /.ws?v=5 HTTP/1.1\r\n", "400"),
        ("POST /.ws?v=5 HTTP/1.1\r\nContent-Length: 0\r\n", "400"),
        ("GET /.ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n", "400"),
        (
            "GET /.ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "426"
        ),
        (
            "GET /.ws HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "400"
        ),
        ("GET /a.json HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n", "200"),
    ])
    func `what is no WebSocket is refused, and closes`(_ request: String, _ status: String) async throws {
        try await withServer { client in
            let answer = try await exchange(request + "Host: localhost\r\n\r\n", with: client) {
                status == "200" && $0.contains("null")
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test func `the name that is the first part of the host is the hub's own database`() async throws {
        try await withServer { client in
            try await client.withSocket("v=5&ns=127") { socket in
                _ = try await socket.ask("p", #"{"p":"/a","d":1}"#)
            }
            try await Step("GET /a.json", nil, [:], 200, "1").perform(client)
            try await client.withSocket("v=5&ns=Localhost", host: "localhost:1") { socket async throws in
                #expect(try await socket.ask("g", #"{"p":"/a"}"#) == #"{"d":1,"s":"ok"}"#)
            }
            try await client.withSocket("v=5&ns=other") { socket async throws in
                #expect(try await socket.ask("g", #"{"p":"/a"}"#) == #"{"d":null,"s":"ok"}"#)
                #expect(try await socket.ask("p", #"{"p":"/a","d":1}"#).contains("permission_denied"))
            }
        }
    }

    /// What a client does, and why it is closed.
    struct Wrong: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var frames: [(opcode: UInt8, text: String, isLast: Bool, isMasked: Bool)]
        var code: Int

        init(_ name: String, _ code: Int, _ frames: (UInt8, String, Bool, Bool)...) {
            testDescription = name
            self.frames = frames.map { ($0.0, $0.1, $0.2, $0.3) }
            self.code = code
        }
    }

    static let wrongs = [
        Wrong("no JSON", 1007, (1, "{", true, true)),
        Wrong("fewer pieces than it said", 1007, (1, "2", true, true), (1, "{}", true, true), (1, "{}", true, true)),
        Wrong("too many pieces", 1009, (1, "999999", true, true)),
        Wrong("a message that is too long", 1009, (1, String(repeating: "x", count: 100_001), true, true)),
        Wrong(
            "fragments that are too long together", 1009, (1, String(repeating: "x", count: 60_000), false, true),
            (0, String(repeating: "x", count: 60_000), true, true)),
        Wrong(
            "pieces that are too long together", 1009, (1, "7", true, true),
            (1, String(repeating: "x", count: 60_000), true, true),
            (1, String(repeating: "x", count: 60_000), true, true)),
        Wrong("unmasked", 1002, (1, "{}", true, false)), Wrong("binary", 1003, (2, "{}", true, true)),
        Wrong("a fragment of nothing", 1002, (0, "{}", true, true)),
        Wrong("a message inside of another", 1002, (1, "{", false, true), (1, "}", true, true)),
        Wrong("an unknown kind of frame", 1002, (3, "", true, true)),
        Wrong("its own close", 0x0C01, (8, "\u{C}\u{1}", true, true)),
        Wrong("a close without words", 1000, (8, "", true, true)),
    ]

    @Test func `a message that its sender never has room for is too long, not one for later`() async throws {
        try await withServer(options: { $0.maxBody = 100_000 }) { client in
            try await Step("PUT /.settings/rules.json", #"{"rules":{".write":true}}"#).perform(client)
            try await client.withSocket("v=5") { socket in
                try await socket.frame(String(repeating: "x", count: 30_000))
                while try await socket.push() != "closed" {}
                #expect(socket.closed == 1009)
            }
        }
    }

    @Test(arguments: wrongs) func `who does what no client does is closed, with a reason`(_ wrong: Wrong) async throws {
        try await withServer(options: { $0.maxBody = 100_000 }) { client in
            try await client.withSocket("v=5") { socket in
                for frame in wrong.frames {
                    try await socket.frame(
                        frame.text, opcode: frame.opcode, isLast: frame.isLast, isMasked: frame.isMasked)
                }
                while try await socket.push() != "closed" {}
                #expect(socket.closed == wrong.code)
            }
            // Others are not touched.
            try await Step("GET /a.json", nil, [:], 200, "null").perform(client)
        }
    }

    @Test(arguments: [("{", false), ("3", true)])
    func `who begins a message and does not go on is closed`(_ text: String, _ isLast: Bool) async throws {
        let rate = BodyRate(interval: .milliseconds(50), minBytes: 0, usefulBytes: 100, patience: .milliseconds(100))
        try await withServer(options: { $0.bodyRate = rate }) { client in
            try await client.withSocket("v=5") { socket in
                try await socket.frame(text, isLast: isLast)
                #expect(try await socket.push() == "closed")
                #expect(socket.closed == 1008)
            }
        }
    }

    @Test func `fragments are one message, and pings are answered in between`() async throws {
        try await withServer { client in
            try await client.withSocket("v=5") { socket in
                try await socket.frame(#"{"t":"c","d":"#, isLast: false)
                try await socket.frame("sign", opcode: 9)
                let pong = try await socket.received()
                #expect(pong?.opcode == 10)
                #expect(pong.map { String(buffer: $0.data) } == "sign")
                try await socket.frame("", opcode: 0, isLast: false)
                try await socket.frame(#"{"t":"p","d":{}}}"#, opcode: 0)
                #expect(try await socket.push() == "c o {}")
            }
        }
    }

    @Test func `who is silent is asked, and closed when nothing comes`() async throws {
        // Long enough for an answer also where every core is busy.
        try await withServer(options: { $0.socketQuiet = .seconds(1) }) { client in
            try await client.withSocket("v=5") { socket in
                for _ in 0..<2 {
                    #expect(try await socket.received()?.opcode == 9)
                    try await socket.frame("", opcode: 10)
                }
                #expect(try await socket.received()?.opcode == 9)
                #expect(try await socket.received() == nil)
            }
        }
    }

    @Test func `a hub that stops tells clients to come again, and does what they planned`() async throws {
        let folder = try TemporaryFolder()
        let (opened, isOpened) = AsyncStream<Void>.makeStream()
        let (stopping, isStopping) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (bases, gotBase) = AsyncStream<TestClient>.makeStream()
            group.addTask {
                try await withServer(data: folder.path) { client in
                    gotBase.yield(client)
                    for await _ in stopping {}
                }
            }
            group.addTask {
                for await client in bases.prefix(1) {
                    try await client.withSocket("v=5") { socket in
                        _ = try await socket.ask("o", #"{"p":"/online","d":false}"#)
                        isOpened.finish()
                        #expect(try await socket.push() == #"c r "\#(client.authority)""#)
                        #expect(try await socket.push() == "closed")
                        #expect(socket.closed == 1001)
                    }
                }
            }
            for await _ in opened {}
            isStopping.finish()
            try await group.waitForAll()
        }
        try await withServer(data: folder.path) { client in
            try await Step("GET /online.json", nil, [:], 200, "false").perform(client)
        }
    }

    @Test func `who comes back finds the end of the last session done`() async throws {
        try await withServer { client in
            try await client.withSocket("v=5") { first in
                _ = try await first.ask("o", #"{"p":"/online","d":false}"#)
                let last = first.hello["s"]?.text ?? ""
                try await client.withSocket("v=5&ls=\(last)") { second in
                    _ = try await second.ask("p", #"{"p":"/online","d":true}"#)
                    #expect(try await first.push() == "closed")
                }
                try await Step("GET /online.json", nil, [:], 200, "true").perform(client)
                // A session of another database is not ended by its name.
                try await client.withSocket("v=5") { third in
                    let id = third.hello["s"]?.text ?? ""
                    try await client.withSocket("v=5&ns=other&ls=\(id)") { _ async throws in
                        #expect(try await third.ask("g", #"{"p":"/online"}"#) == #"{"d":true,"s":"ok"}"#)
                    }
                }
            }
        }
    }

    @Test func `who never reads is cut, and others hear everything`() async throws {
        let (logger, noted) = NotedEvents.make()
        let text = "\"" + String(repeating: "x", count: 500_000) + "\""
        try await withServer(options: { $0.listenerBuffer = 400_000 }, logger: logger) { client in
            try await client.withSocket("v=5") { stuck in
                _ = try await stuck.ask("q", #"{"p":"/m"}"#)
                try await client.withSocket("v=5") { socket in
                    _ = try await socket.ask("q", #"{"p":"/m"}"#)
                    _ = try await socket.push()
                    for number in 0..<40 {
                        try await Step("PUT /m/\(number).json?print=silent", text, [:], 204).perform(client)
                        let event = try await socket.push()
                        #expect(event == #"d {"d":\#(text),"p":"m/\#(number)"}"#)
                    }
                }
                _ = await noted.first { $0["event"] == "socket.cut" }
                var count = 0
                while try await stuck.push() != "closed" { count += 1 }
                #expect(count < 40)
            }
        }
    }
}

extension TestClient {
    /// Host and port.
    var authority: String { String(base.split(separator: "/").last ?? "") }
}
