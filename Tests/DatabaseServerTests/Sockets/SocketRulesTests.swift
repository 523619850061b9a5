import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Sessions under rules.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SocketRulesTests {
    static let now: Int64 = 1_800_000_000_000
    static let owner = ["Authorization": "Bearer owner"]
    static let denied = #"{"d":"Permission denied","s":"permission_denied"}"#
    static let done = #"{"d":"","s":"ok"}"#
    static let listening = #"{"d":{},"s":"ok"}"#
    static let rules = """
        {"rules":{
          "open":{".read":true,".write":true,".indexOn":"n","list":{".indexOn":"n"}},
          "users":{"$u":{".read":"auth.uid == $u",".write":"auth.uid == $u"}},
          "flag":{".read":"root.child('open/go').val() == true"},
          "late":{".read":true,".write":"root.child('open/go').val() == true"},
          "text":{".read":true,".write":true,".validate":"newData.isString()"}}}
        """

    /// A server with these rules, where it is `now`.
    private func withRules(_ time: HandTime, _ body: (TestClient) async throws -> Void) async throws {
        try await withServer(options: { $0.time = time.wallTime }) { client in
            try await Step("PUT /.settings/rules.json", SocketRulesTests.rules).perform(client)
            try await body(client)
        }
    }

    private func token(_ user: String, end: Int64 = 1_800_000_010) throws -> String {
        try TestToken.unsigned(["sub": .string(user), "exp": .integer(end)]).text()
    }

    @Test func `reads, writes and plans are judged by the rules`() async throws {
        try await withRules(HandTime(now: Self.now)) { client in
            let token = try token("u")
            try await client.withSocket("v=5") { socket async throws in
                #expect(try await socket.ask("q", #"{"p":"/users/u","h":""}"#) == Self.denied)
                #expect(try await socket.ask("g", #"{"p":"/users/u"}"#) == Self.denied)
                #expect(try await socket.ask("p", #"{"p":"/users/u","d":1}"#) == Self.denied)
                #expect(try await socket.ask("m", #"{"p":"/","d":{"open/x":1,"users/u":1}}"#) == Self.denied)
                #expect(try await socket.ask("o", #"{"p":"/users/u","d":1}"#) == Self.denied)
                #expect(try await socket.ask("p", #"{"p":"/text","d":1}"#) == Self.denied)
                let auth = try await socket.ask("auth", #"{"cred":"\#(token)"}"#)
                #expect(auth.hasPrefix(#"{"d":{"auth":{"provider":"custom","token":{"#))
                #expect(auth.hasSuffix(#""uid":"u"},"expires":1800000010},"s":"ok"}"#))
                #expect(try await socket.ask("q", #"{"p":"/users/u","h":""}"#) == Self.listening)
                #expect(try await socket.push() == #"d {"d":null,"p":"users/u"}"#)
                #expect(try await socket.ask("p", #"{"p":"/users/u","d":1}"#) == Self.done)
                #expect(try await socket.push() == #"d {"d":1,"p":"users/u"}"#)
                #expect(try await socket.ask("p", #"{"p":"/users/v","d":1}"#) == Self.denied)
                #expect(try await socket.ask("unauth", "{}") == Self.done)
                #expect(try await socket.push() == #"c {"p":"users/u"}"#)
                #expect(try await socket.ask("g", #"{"p":"/users/u"}"#) == Self.denied)
            }
        }
    }

    @Test(arguments: [
        (#"{"cred":"x"}"#, #"{"d":"Could not parse auth token.","s":"invalid_token"}"#),
        (#"{}"#, #"{"d":"Could not parse auth token.","s":"invalid_token"}"#),
        (#"{"cred":"owner"}"#, #"{"d":{"auth":null},"s":"ok"}"#),
        (#"{"cred":"owner","authvar":{"uid":"u"}}"#, #"{"d":{"auth":{"uid":"u"}},"s":"ok"}"#),
        (#"{"cred":"owner","noauth":true}"#, #"{"d":{"auth":null},"s":"ok"}"#),
    ])
    func `a credential is what it is for REST`(_ body: String, _ answer: String) async throws {
        try await withRules(HandTime(now: Self.now)) { client in
            try await client.withSocket("v=5") { socket async throws in
                #expect(try await socket.ask("gauth", body) == answer)
                let isOwner = body == #"{"cred":"owner"}"#
                #expect(
                    try await socket.ask("g", #"{"p":"/flag"}"#) == (isOwner ? #"{"d":null,"s":"ok"}"# : Self.denied))
            }
            try await client.withSocket("v=5") { socket async throws in
                let expired = try token("u", end: 1_799_999_999)
                #expect(
                    try await socket.ask("auth", #"{"cred":"\#(expired)"}"#)
                        == #"{"d":"Auth token is expired","s":"expired_token"}"#)
            }
        }
    }

    @Test func `where a credential ends, the client is told, and loses what needs it`() async throws {
        let time = HandTime(now: Self.now)
        try await withRules(time) { client in
            let (first, second) = (try token("u"), try token("u", end: 1_800_000_020))
            try await client.withSocket("v=5") { socket async throws in
                var waits = time.waits.makeAsyncIterator()
                _ = try await socket.ask("auth", #"{"cred":"\#(first)"}"#)
                #expect(await waits.next() == Self.now + 10_000)
                _ = try await socket.ask("q", #"{"p":"/users/u"}"#)
                _ = try await socket.push()
                _ = try await socket.ask("q", #"{"p":"/open"}"#)
                _ = try await socket.push()
                _ = try await socket.ask("o", #"{"p":"/users/u","d":"gone"}"#)
                _ = try await socket.ask("auth", #"{"cred":"\#(second)"}"#)
                #expect(await waits.next() == Self.now + 20_000)
                // The first one ends, which is not the client's any more.
                time.move(to: Self.now + 10_000)
                #expect(try await socket.ask("p", #"{"p":"/users/u","d":1}"#) == Self.done)
                #expect(try await socket.push() == #"d {"d":1,"p":"users/u"}"#)
                time.move(to: Self.now + 20_000)
                #expect(try await socket.push() == #"ac {"d":"Auth token is expired","s":"expired_token"}"#)
                #expect(try await socket.push() == #"c {"p":"users/u"}"#)
                #expect(try await socket.ask("p", #"{"p":"/users/u","d":2}"#) == Self.denied)
                #expect(try await socket.ask("p", #"{"p":"/open","d":1}"#) == Self.done)
                #expect(try await socket.push() == #"d {"d":1,"p":"open"}"#)
            }
            // At the cut the client was nobody any more.
            try await client.listen("/users/u.json?auth=owner") { frames async throws in
                #expect(try await frames.next() == #"put {"path":"/","data":1}"#)
            }
        }
    }

    @Test func `who loses the right to read by a write or by new rules is told`() async throws {
        try await withRules(HandTime(now: Self.now)) { client in
            try await Step("PUT /open.json", #"{"go":true,"list":{"a":{"n":1}}}"#).perform(client)
            try await client.withSocket("v=5") { socket async throws in
                #expect(try await socket.ask("q", #"{"p":"/flag"}"#) == Self.listening)
                _ = try await socket.push()
                #expect(
                    try await socket.ask("q", #"{"p":"/open/list","q":{"i":"n","l":1,"vf":"l"},"t":5}"#)
                        == Self.listening)
                _ = try await socket.push()
                #expect(try await socket.ask("p", #"{"p":"/open/go","d":false}"#) == Self.done)
                #expect(try await socket.push() == #"c {"p":"flag"}"#)
                let closed = #"{"rules":{".read":"auth != null",".write":true}}"#
                try await Step("PUT /.settings/rules.json", closed, Self.owner).perform(client)
                #expect(try await socket.push() == #"c {"p":"open/list","q":[{"i":"n","l":1,"vf":"l"}]}"#)
                #expect(try await socket.ask("p", #"{"p":"/open/list/a/n","d":2}"#) == Self.done)
                try await socket.frame(#"{"t":"c","d":{"t":"p","d":{}}}"#)
                #expect(try await socket.push() == "c o {}")
            }
        }
    }

    @Test func `a query without an index warns a listen, and refuses a get`() async throws {
        try await withRules(HandTime(now: Self.now)) { client in
            try await Step("PUT /open.json", #"{"a":{"m":2},"b":{"m":1}}"#).perform(client)
            try await client.withSocket("v=5") { socket async throws in
                let query = #"{"p":"/open","q":{"i":"m","l":1,"vf":"l"},"t":1}"#
                #expect(try await socket.ask("q", query) == #"{"d":{"w":["no_index"]},"s":"ok"}"#)
                #expect(try await socket.push() == #"d {"d":{"b":{"m":1}},"p":"open","t":1}"#)
                #expect(
                    try await socket.ask("g", query)
                        == #"{"d":"Index not defined, add \".indexOn\": \"m\", for path \"/open\", to the rules","s":"error"}"#
                )
                #expect(
                    try await socket.ask("q", #"{"p":"/open","q":{"i":"n","l":1,"vf":"l"},"t":2}"#) == Self.listening)
            }
        }
    }

    @Test func `plans are judged again when they happen, each for itself`() async throws {
        try await withRules(HandTime(now: Self.now)) { client in
            try await client.listen("/open/left.json") { frames async throws in
                _ = try await frames.next()
                for isAllowed in [false, true] {
                    try await client.withSocket("v=5") { socket async throws in
                        // Asked at once: the plan is judged after the write that allows it.
                        try await socket.send("p", #"{"p":"/open/go","d":true}"#)
                        #expect(try await socket.ask("o", #"{"p":"/late","d":\#(isAllowed)}"#) == Self.done)
                        #expect(try await socket.ask("o", #"{"p":"/open/left","d":\#(isAllowed)}"#) == Self.done)
                        _ = try await socket.ask("p", #"{"p":"/open/go","d":\#(isAllowed)}"#)
                    }
                    #expect(try await frames.next() == #"put {"path":"/","data":\#(isAllowed)}"#)
                    try await Step("GET /late.json", nil, [:], 200, isAllowed ? "true" : "null").perform(client)
                }
            }
        }
    }
}
