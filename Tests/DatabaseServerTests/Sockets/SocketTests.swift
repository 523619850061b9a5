import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Sessions over real sockets, against REST on the same server.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SocketTests {
    /// One request, its answer, and what is pushed before it.
    struct Turn: Sendable {
        var action: String
        var body: String
        var answer = #"{"d":"","s":"ok"}"#
        var pushes: [String] = []

        init(_ action: String, _ body: String, _ answer: String = #"{"d":"","s":"ok"}"#, pushes: [String] = []) {
            self.action = action
            self.body = body
            self.answer = answer
            self.pushes = pushes
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before = #"{"a":{"n":1},"b":{"n":2}}"#
        var turns: [Turn]
        /// What REST sees in the end.
        var after: String?
    }

    static let listening = #"{"d":{},"s":"ok"}"#

    static let cases: [Case] = [
        Case(
            testDescription: "stats, a get, and a listen whose data come before its answer",
            turns: [
                Turn("s", #"{"c":{"sdk.js.9-5-0":1}}"#),
                Turn("g", #"{"p":"/m/a","q":{}}"#, #"{"d":{"n":1},"s":"ok"}"#),
                Turn("g", #"{"p":"/none","q":{}}"#, #"{"d":null,"s":"ok"}"#),
                Turn("q", #"{"p":"/m/a","h":""}"#, listening, pushes: [#"d {"d":{"n":1},"p":"m/a"}"#]),
                Turn("q", #"{"p":"/none","h":""}"#, listening, pushes: [#"d {"d":null,"p":"none"}"#]),
            ]),
        Case(
            testDescription: "who writes hears of it before the answer",
            turns: [
                Turn("q", #"{"p":"/m","h":""}"#, listening, pushes: [#"d {"d":{"a":{"n":1},"b":{"n":2}},"p":"m"}"#]),
                Turn("p", #"{"p":"/m/a/n","d":7}"#, pushes: [#"d {"d":7,"p":"m/a/n"}"#]),
                Turn(
                    "m", #"{"p":"/m","d":{"a/n":8,"c":{"n":3},"b":null}}"#,
                    pushes: [
                        #"m {"d":{"a/n":8,"b":null,"c":{"n":3}},"p":"m"}"#
                    ]),
                Turn("p", #"{"p":"/m/a/n","d":8}"#),
                Turn("p", #"{"p":"/","d":{"m":{"z":[1,null,2]}}}"#, pushes: [#"d {"d":{"z":{"0":1,"2":2}},"p":"m"}"#]),
                Turn("n", #"{"p":"/m"}"#),
                Turn("p", #"{"p":"/m/z","d":null}"#),
            ],
            after: "null"),
        Case(
            testDescription: "what can't be",
            turns: [
                Turn("p", #"{"p":"/m/a.b","d":1}"#, #"{"d":"Invalid path: Invalid token in path","s":"error"}"#),
                Turn("p", #"{"d":1}"#, #"{"d":"Invalid path: p is missing","s":"error"}"#),
                Turn("p", #"{"p":"/m"}"#, #"{"d":"Invalid data: d is missing","s":"error"}"#),
                Turn("o", #"{"p":"/m"}"#, #"{"d":"Invalid data: d is missing","s":"error"}"#),
                Turn(
                    "m", #"{"p":"/m","d":1}"#,
                    """
                    {"d":"Invalid data; couldn't parse JSON object. Are you sending a JSON object with valid key \
                    names?","s":"error"}
                    """),
                Turn(
                    "m", #"{"p":"/m","d":{"a":1,"a/b":2}}"#,
                    #"{"d":"Invalid data; /a is equal to or above /a/b in one update","s":"error"}"#),
                Turn(
                    "p", #"{"p":"/m","d":{".sv":"no"}}"#, #"{"d":"Invalid data; unknown or malformed .sv","s":"error"}"#
                ),
                Turn("x", "{}", #"{"d":"There is no action x","s":"error"}"#),
                Turn(
                    "q", #"{"p":"/m","q":{"i":7},"t":1,"h":""}"#,
                    #"{"d":"Invalid query: i must be .key, .value, .priority or a path","s":"error"}"#),
            ],
            after: #"{"a":{"n":1},"b":{"n":2}}"#),
        Case(
            testDescription: "queries with their tags",
            turns: [
                Turn(
                    "q", #"{"p":"/m","q":{"l":1,"vf":"r","i":"n"},"t":1,"h":""}"#, listening,
                    pushes: [
                        #"d {"d":{"b":{"n":2}},"p":"m","t":1}"#
                    ]),
                Turn(
                    "q", #"{"p":"/m","q":{"sp":1,"sin":true,"ep":1,"ein":true,"i":"n"},"t":2,"h":""}"#, listening,
                    pushes: [
                        #"d {"d":{"a":{"n":1}},"p":"m","t":2}"#
                    ]),
                Turn("p", #"{"p":"/m/c","d":{"n":3}}"#, pushes: [#"m {"d":{"b":null,"c":{"n":3}},"p":"m","t":1}"#]),
                Turn("p", #"{"p":"/m/a/x","d":true}"#, pushes: [#"d {"d":true,"p":"m/a/x","t":2}"#]),
                Turn("n", #"{"p":"/m","q":{"l":1,"vf":"r","i":"n"},"t":1}"#),
                Turn("p", #"{"p":"/m/d","d":{"n":4}}"#),
                Turn("g", #"{"p":"/m","q":{"l":1,"vf":"l","i":".key"}}"#, #"{"d":{"a":{"n":1,"x":true}},"s":"ok"}"#),
            ]),
        Case(
            testDescription: "priorities and server values",
            before: #"{"a":1}"#,
            turns: [
                Turn("p", #"{"p":"/m/a/.priority","d":5}"#),
                Turn("g", #"{"p":"/m","q":{}}"#, #"{"d":{"a":{".priority":5,".value":1}},"s":"ok"}"#),
                Turn("p", #"{"p":"/m/b","d":{".sv":{"increment":2}}}"#),
                Turn("m", #"{"p":"/m","d":{"b":{".sv":{"increment":2}}}}"#),
                Turn("p", #"{"p":"/m/c","d":{".value":"x",".priority":"p"}}"#),
                Turn("g", #"{"p":"/m/c","q":{}}"#, #"{"d":{".priority":"p",".value":"x"},"s":"ok"}"#),
            ],
            after: #"{"a":1,"b":4,"c":"x"}"#),
    ]

    @Test(arguments: cases)
    func `a session`(_ story: Case) async throws {
        try await withServer { client in
            let owner = ["Authorization": "Bearer owner"]
            try await Step("PUT /m.json?ns=demo", story.before, owner).perform(client)
            try await client.withSocket { socket in
                for turn in story.turns {
                    let answer = try await socket.ask(turn.action, turn.body)
                    #expect(answer == turn.answer, "\(turn.action) \(turn.body)")
                    for push in turn.pushes {
                        let pushed = try await socket.push()
                        #expect(pushed == push, "\(turn.action) \(turn.body)")
                    }
                }
                // Nothing else was pushed before this.
                try await socket.frame(#"{"t":"c","d":{"t":"p","d":{}}}"#)
                #expect(try await socket.push() == "c o {}")
            }
            if let after = story.after { try await Step("GET /m.json?ns=demo", nil, owner, 200, after).perform(client) }
        }
    }

    @Test func `the first message tells the time, the version, the host and the session`() async throws {
        try await withServer(options: { $0.time = HandTime(now: 1_700_000_000_123).wallTime }) { client in
            try await client.withSocket("v=5&ns=demo&p=1:2:web:3&s=abc") { socket in
                // The example of RFC 6455, section 1.3.
                #expect(socket.head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
                #expect(socket.hello["ts"] == 1_700_000_000_123)
                #expect(socket.hello["v"] == "5")
                #expect(socket.hello["h"]?.text == client.base.split(separator: "/").last.map(String.init))
                #expect(socket.hello["s"]?.text?.count == 32)
            }
        }
    }

    @Test func `long messages come and go in pieces`() async throws {
        let text = String(repeating: "x", count: 100_000)
        try await withServer { client in
            try await client.withSocket("v=5") { socket in
                try await socket.frame("0")
                #expect(try await socket.ask("p", #"{"p":"/m","d":"\#(text)"}"#) == #"{"d":"","s":"ok"}"#)
                #expect(try await socket.ask("q", #"{"p":"/m","h":""}"#) == SocketTests.listening)
                #expect(try await socket.push() == #"d {"d":"\#(text)","p":"m"}"#)
                _ = try await socket.ask("g", #"{"p":"/m"}"#)
                #expect(socket.pieces == 7)
            }
            // Large enough to be a tree of many rows, with characters that a cut could hit.
            let many = "{" + (0..<3000).map { #""k\#($0)":"äö€😀\#($0)""# }.joined(separator: ",") + "}"
            try await Step("PUT /many.json", many).perform(client)
            let stored = try await client.get("/many.json")
            try await client.withSocket("v=5") { socket in
                let answer = try await socket.ask("g", #"{"p":"/many"}"#)
                #expect(answer == #"{"d":\#(stored),"s":"ok"}"#)
                #expect(socket.pieces > 4)
            }
        }
    }

    @Test func `what is planned for the end happens at a cut, once and together`() async throws {
        try await withServer { client in
            let owner = ["Authorization": "Bearer owner"]
            try await Step("PUT /m.json", #"{"count":1}"#, owner).perform(client)
            try await client.listen("/m.json") { frames in
                _ = try await frames.next()
                try await client.withSocket("v=5") { socket in
                    for (action, body) in [
                        ("o", #"{"p":"/m/online","d":false}"#), ("o", #"{"p":"/m/count","d":{".sv":{"increment":1}}}"#),
                        ("o", #"{"p":"/m/gone","d":1}"#), ("oc", #"{"p":"/m/gone","d":null}"#),
                        ("om", #"{"p":"/m","d":{"x/y":2,"z":3}}"#), ("oc", #"{"p":"/m/z","d":null}"#),
                    ] {
                        let answer = try await socket.ask(action, body)
                        #expect(answer == #"{"d":"","s":"ok"}"#)
                    }
                }
                #expect(
                    try await frames.next() == #"patch {"path":"/","data":{"count":2,"online":false,"x/y":2}}"#)
                try await Step("PUT /m/end.json", "1").perform(client)
                #expect(try await frames.next() == #"put {"path":"/end","data":1}"#)
            }
        }
    }

    @Test func `a range that is large comes in pieces`() async throws {
        try await withServer { client in
            let films = (0..<3000).map { #""k\#($0)":{"n":\#($0)}"# }.joined(separator: ",")
            try await Step("PUT /m.json?print=silent", "{\(films),\"z\":1}", [:], 204).perform(client)
            try await client.withSocket("v=5") { socket in
                let hashes = #"{"hs":["old","YSI1bixxxq4lfjFyWVkb+V/VAzU="],"ps":["y"]}"#
                try await socket.send("q", #"{"p":"/m","h":"old","ch":\#(hashes)}"#)
                let message = try await socket.message()
                #expect(socket.pieces > 1)
                let wanted = #"{"t":"d","d":{"a":"rm","b":{"p":"m","d":[{"e":"y","m":{\#(films)}}]}}}"#
                let expected = try JSONReader.value(Array(wanted.utf8))
                #expect(message == expected)
            }
        }
    }

    @Test func `two sessions and REST see one order of events`() async throws {
        try await withServer { client in
            try await client.withSocket("v=5") { first in
                try await client.withSocket("v=5") { second in
                    try await client.listen("/m.json") { frames in
                        _ = try await frames.next()
                        _ = try await first.ask("q", #"{"p":"/m","h":""}"#)
                        _ = try await second.ask("q", #"{"p":"/m","h":""}"#)
                        _ = try await first.push()
                        _ = try await second.push()
                        for number in 0..<20 {
                            try await first.send("p", #"{"p":"/m/n","d":"first \#(number)"}"#)
                            try await second.send("p", #"{"p":"/m/n","d":"second \#(number)"}"#)
                            try await Step("PUT /m/n.json", "\(number)").perform(client)
                        }
                        for _ in 0..<60 {
                            let seen = try await frames.next()?.split(separator: #""data":"#).last?.dropLast() ?? ""
                            let event = #"d {"d":\#(seen),"p":"m/n"}"#
                            let (heardFirst, heardSecond) = (try await first.event(), try await second.event())
                            #expect(heardFirst == event)
                            #expect(heardSecond == event)
                        }
                    }
                }
            }
        }
    }
}

extension SocketClient {
    /// The next event, passing by answers.
    func event() async throws -> String {
        while true {
            let next = try await push()
            if next.hasPrefix("d ") || next.hasPrefix("m ") || next == "closed" { return next }
        }
    }
}
