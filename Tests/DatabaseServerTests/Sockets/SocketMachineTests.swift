import DatabaseTree
import FirebaseWire
import NIOCore
import SyncModel
import Testing

@testable import DatabaseServer

/// What a session decides, told as words.
struct SocketMachineTests {
    private static func told(_ effects: [SocketMachine.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .send(let text): String(decoding: text, as: UTF8.self)
            case .listen(let id, let listen, let known, let number):
                "listen \(id) \(listen.path) \(known?.hash.text ?? "-") \(number ?? 0)"
            case .unlisten(let id): "unlisten \(id)"
            case .read(let path, let query, let number): "read \(path) \(query == nil ? "all" : "some") \(number ?? 0)"
            case .write(let write, let hash, let number):
                "\(write.kind) \(write.path) \(write.count) \(hash ?? "-") \(number ?? 0)"
            case .plan(let write, let number): "plan \(write.kind) \(write.path) \(number ?? 0)"
            case .identify(let credential, let number):
                "identify \(credential.token ?? "") \(credential.override ?? "-") \(number ?? 0)"
            case .judgeListens: "judge"
            case .perform(let orders, _): "perform \(orders.count)"
            }
        }
    }

    private func receive(_ machine: inout SocketMachine, _ text: String) throws -> [String] {
        let message = try #require(SocketMessage(ByteBuffer(string: text)))
        return SocketMachineTests.told(machine.receive(message))
    }

    private func ask(_ machine: inout SocketMachine, _ action: String, _ body: String) throws -> [String] {
        try receive(&machine, #"{"t":"d","d":{"r":7,"a":"\#(action)","b":\#(body)}}"#)
    }

    private static let done = #"{"d":{"b":{"d":"","s":"ok"},"r":7},"t":"d"}"#

    private static func unreadable(_ name: String) -> String {
        #"{"d":{"b":{"d":"Invalid request: \#(name) can't be read","s":"error"},"r":7},"t":"d"}"#
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var action: String
        var body: String
        var effects: [String]
        var testDescription: String { "\(action) \(body)" }
    }

    static let cases = [
        Case(action: "q", body: #"{"p":"/a/b","h":""}"#, effects: ["listen 1 /a/b - 7"]),
        Case(action: "q", body: #"{"p":"","h":"x","q":{"l":1},"t":3}"#, effects: ["listen 1 / x 7"]),
        Case(action: "n", body: #"{"p":"/a"}"#, effects: [done]),
        Case(action: "g", body: #"{"p":"/a","q":{"l":1}}"#, effects: ["read /a some 7"]),
        Case(action: "g", body: #"{"p":"/a","q":{"sp":100000000000000000000}}"#, effects: ["read /a some 7"]),
        Case(action: "g", body: #"{"p":"/\ud83d"}"#, effects: [unreadable("p")]),
        Case(action: "g", body: #"{"p":"/a","q":{"ep":"\ud83d"}}"#, effects: [unreadable("q")]),
        Case(action: "q", body: #"{"p":"/a","q":{"sp":1e400}}"#, effects: [unreadable("q")]),
        Case(action: "p", body: #"{"p":"/a","d":1,"h":"\ud83d"}"#, effects: [unreadable("h")]),
        Case(action: "p", body: #"{"p":"/a","d":123}"#, effects: ["put /a 3 - 7"]),
        Case(action: "p", body: #"{"p":"/a/.priority","d":1,"h":"x"}"#, effects: ["put /a/.priority 1 x 7"]),
        Case(action: "p", body: #"{"p":"/a","d":null}"#, effects: ["put /a 4 - 7"]),
        Case(
            action: "p", body: #"{"p":"/a"}"#,
            effects: [#"{"d":{"b":{"d":"Invalid data: d is missing","s":"error"},"r":7},"t":"d"}"#]),
        Case(
            action: "p", body: #"{"p":"/a","d":1,"h":5}"#,
            effects: [
                #"{"d":{"b":{"d":"Invalid hash: h must be a string","s":"error"},"r":7},"t":"d"}"#
            ]),
        Case(action: "m", body: #"{"p":"/a","d":{}}"#, effects: ["patch /a 2 - 7"]),
        Case(action: "o", body: #"{"p":"/a","d":1}"#, effects: ["plan put /a 7"]),
        Case(action: "om", body: #"{"p":"/a","d":{}}"#, effects: ["plan patch /a 7"]),
        Case(action: "oc", body: #"{"p":"/a","d":null}"#, effects: [done]),
        Case(action: "auth", body: #"{"cred":"t"}"#, effects: ["identify t - 7"]),
        Case(action: "gauth", body: #"{"cred":"t","authvar":{"uid":"u"}}"#, effects: [#"identify t {"uid":"u"} 7"#]),
        Case(action: "auth", body: #"{"cred":"t","noauth":true}"#, effects: ["identify t null 7"]),
        Case(
            action: "auth", body: "{}",
            effects: [
                #"{"d":{"b":{"d":"Could not parse auth token.","s":"invalid_token"},"r":7},"t":"d"}"#
            ]),
        Case(action: "unauth", body: "{}", effects: [done, "judge"]),
        Case(action: "s", body: #"{"c":{}}"#, effects: [done]), Case(action: "appcheck", body: "{}", effects: [done]),
        Case(
            action: "m", body: #"{"p":"/a/.priority","d":{}}"#,
            effects: [
                #"{"d":{"b":{"d":"Invalid path: Invalid token in path","s":"error"},"r":7},"t":"d"}"#
            ]),
        Case(
            action: "g", body: #"{"p":"/.info/connected"}"#,
            effects: [#"{"d":{"b":{"d":true,"s":"ok"},"r":7},"t":"d"}"#]),
        Case(
            action: "q", body: #"{"p":"/.info/serverTimeOffset","h":""}"#,
            effects: [
                #"{"d":{"a":"d","b":{"d":0,"p":".info/serverTimeOffset"}},"t":"d"}"#,
                #"{"d":{"b":{"d":{},"s":"ok"},"r":7},"t":"d"}"#,
            ]),
        Case(action: "n", body: #"{"p":"/.info/connected"}"#, effects: [done]),
        Case(
            action: "p", body: #"{"p":"/.info/connected","d":1}"#,
            effects: [#"{"d":{"b":{"d":"Invalid path: Invalid token in path","s":"error"},"r":7},"t":"d"}"#]),
        Case(
            action: "what", body: "{}",
            effects: [
                #"{"d":{"b":{"d":"There is no action what","s":"error"},"r":7},"t":"d"}"#
            ]),
    ]

    @Test(arguments: cases) func `a request is done or refused`(_ test: Case) throws {
        var machine = SocketMachine()
        #expect(try ask(&machine, test.action, test.body) == test.effects)
    }

    @Test func `a ping is answered, and what is about the connection else is not`() throws {
        var machine = SocketMachine()
        #expect(try receive(&machine, #"{"t":"c","d":{"t":"p","d":{}}}"#) == [#"{"d":{"d":{},"t":"o"},"t":"c"}"#])
        for control in ["n", "a", "x"] {
            #expect(try receive(&machine, #"{"t":"c","d":{"t":"\#(control)","d":{}}}"#) == [])
        }
        // Nobody waits for an answer without a number.
        #expect(try receive(&machine, #"{"t":"d","d":{"a":"s","b":{}}}"#) == [])
        #expect(try receive(&machine, #"{"t":"d","d":{"a":"what"}}"#) == [])
    }

    @Test(arguments: [
        "", "[]", "1", "{}", #"{"t":"d"}"#, #"{"t":"d","d":1}"#, #"{"t":"d","d":{}}"#, #"{"t":"x","d":{}}"#,
        #"{"t":"c"}"#, #"{"t":"d","d":{"a":"s","b":{}}"#, #"{"t":"d","d":{"a":7}}"#,
        #"{"t":"d","d":{"a":"s","r":"x","b":{}}}"#, #"{"t":"d","d":{"a":"s","r":1.5,"b":{}}}"#,
    ])
    func `what is no message is none`(_ text: String) {
        #expect(SocketMessage(ByteBuffer(string: text)) == nil)
    }

    @Test func `listens are told apart by their tags, and else by their queries`() throws {
        var machine = SocketMachine()
        #expect(try ask(&machine, "q", #"{"p":"/a"}"#) == ["listen 1 /a - 7"])
        #expect(try ask(&machine, "q", #"{"p":"/a","q":{"l":1},"t":1}"#) == ["listen 2 /a - 7"])
        #expect(try ask(&machine, "q", #"{"p":"/a","q":{"l":2}}"#) == ["listen 3 /a - 7"])
        #expect(try ask(&machine, "q", #"{"p":"/a","q":{"l":1,"vf":"l"},"t":1}"#) == ["unlisten 2", "listen 4 /a - 7"])
        #expect(try ask(&machine, "q", #"{"p":"/a/"}"#) == ["unlisten 1", "listen 5 /a - 7"])
        #expect(try ask(&machine, "n", #"{"p":"/a","q":{"l":9},"t":1}"#) == ["unlisten 4", SocketMachineTests.done])
        #expect(try ask(&machine, "n", #"{"p":"/a","q":{"l":2}}"#) == ["unlisten 3", SocketMachineTests.done])
        #expect(try ask(&machine, "n", #"{"p":"/b"}"#) == [SocketMachineTests.done])
        #expect(SocketMachineTests.told(machine.end()) == ["unlisten 5", "perform 0"])
    }

    @Test func `a listen whose right is gone is told by its query, once`() throws {
        var machine = SocketMachine()
        _ = try ask(&machine, "q", #"{"p":"/a"}"#)
        _ = try ask(&machine, "q", #"{"p":"/a","q":{"i":"n","l":1,"vf":"l"},"t":1}"#)
        #expect(
            SocketMachineTests.told(machine.revoke(1)) == ["unlisten 1", #"{"d":{"a":"c","b":{"p":"a"}},"t":"d"}"#])
        #expect(
            SocketMachineTests.told(machine.revoke(2)) == [
                "unlisten 2", #"{"d":{"a":"c","b":{"p":"a","q":[{"i":"n","l":1,"vf":"l"}]}},"t":"d"}"#,
            ])
        #expect(machine.revoke(2).isEmpty)
    }

    @Test func `a credential ends, unless it was another meanwhile`() throws {
        var machine = SocketMachine()
        let auth: JSONValue = ["uid": "u"]
        let identity = Identity(principal: .client(auth: auth), expires: 5000)
        #expect(
            SocketMachineTests.told(machine.identified(.success(identity), number: 7)) == [
                #"{"d":{"b":{"d":{"auth":{"uid":"u"},"expires":5},"s":"ok"},"r":7},"t":"d"}"#, "judge",
            ])
        #expect(machine.expired(at: 4000).isEmpty)
        #expect(
            SocketMachineTests.told(machine.expired(at: 5000)) == [
                #"{"d":{"a":"ac","b":{"d":"Auth token is expired","s":"expired_token"}},"t":"d"}"#, "judge",
            ])
        #expect(machine.identity.principal.isNobody)
        #expect(machine.expired(at: 5000).isEmpty)
        #expect(
            SocketMachineTests.told(machine.identified(.failure(.expiredToken), number: 7)) == [
                #"{"d":{"b":{"d":"Auth token is expired","s":"expired_token"},"r":7},"t":"d"}"#
            ])
    }

    @Test func `the end comes once, and nothing after it`() throws {
        var machine = SocketMachine()
        let order = WriteOrder(.put, at: .root, [(.root, .leaf(1))])
        _ = machine.planned(order, bytes: 1, number: 7)
        #expect(SocketMachineTests.told(machine.end()) == ["perform 1"])
        #expect(machine.end().isEmpty)
        #expect(try ask(&machine, "q", #"{"p":"/a"}"#).isEmpty)
        #expect(machine.planned(order, bytes: 1, number: 7).isEmpty)
    }

    @Test func `a session listens to so many places`() throws {
        var machine = SocketMachine()
        for number in 0..<SocketMachine.maxListens { _ = try ask(&machine, "q", #"{"p":"/\#(number)"}"#) }
        let refused = #"{"d":{"b":{"d":"A connection listens to at most 10000 places","s":"error"},"r":7},"t":"d"}"#
        #expect(try ask(&machine, "q", #"{"p":"/x"}"#) == [refused])
        #expect(try ask(&machine, "q", #"{"p":"/7"}"#) == ["unlisten 8", "listen 10001 /7 - 7"])
        _ = try ask(&machine, "n", #"{"p":"/9"}"#)
        #expect(try ask(&machine, "q", #"{"p":"/x"}"#) == ["listen 10002 /x - 7"])
    }
}
