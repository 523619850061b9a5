import DatabaseTree
import JSONText
import NIOCore
import SyncModel

@testable import DatabaseServer

extension FuzzTarget {
    private static func request(_ action: String, _ body: String) -> String {
        #"{"t":"d","d":{"r":1,"a":"\#(action)","b":\#(body)}}"#
    }

    /// The frames of a session, one a line.
    static let socket = FuzzTarget(
        "socket",
        seeds: [
            "0\n" + request("s", #"{"c":{"sdk":1}}"#) + "\n" + request("q", #"{"p":"/a/b","h":""}"#),
            request(
                "q",
                #"{"p":"/a","q":{"sp":1,"sn":"k","sin":false,"ep":"x","en":"[MAX_NAME]","l":5,"vf":"r","i":"n/m"},"t":1}"#
            )
                + "\n" + request("n", #"{"p":"/a","q":{"l":5},"t":1}"#),
            request("q", #"{"p":"/a","h":"x","ch":{"hs":["x","y",""],"ps":["b/c","d"]}}"#),
            "3\n" + #"{"t":"d","d":{"r":1,"a":"p","# + "\n" + #""b":{"p":"/a/.priority","d":7,"# + "\n"
                + #""h":"x"}}}"#,
            request("o", #"{"p":"/a","d":{"b":{"c":{".sv":"timestamp"}},"d":[1,2]}}"#) + "\n"
                + request("om", #"{"p":"/a","d":{"b/x":1,"c":null}}"#) + "\n" + request("oc", #"{"p":"/a/b/c"}"#),
            request("auth", #"{"cred":"t","authvar":{"uid":"u"},"noauth":true}"#) + "\n" + request("unauth", "{}"),
            #"{"t":"c","d":{"t":"p","d":{}}}"#,
        ],
        words: [
            "\n", "0\n", "2\n", "999999\n", #""p":"/""#, ".key", ".value", ".priority", ".sv", "[MIN_NAME]",
            "[MAX_NAME]", "\u{e9}", #"\ud83c"#, "null",
        ]
    ) { input in
        var assembly = FrameAssembly(limit: 100_000)
        var machine = SocketMachine()
        var isTaken = false
        for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard case .message(let text) = assembly.take(ByteBuffer(bytes: line)) else { continue }
            try promise(text.readableBytes <= 100_000, "a message of \(text.readableBytes) bytes")
            guard let message = SocketMessage(text) else { continue }
            for effect in machine.receive(message) {
                isTaken = true
                try await follow(effect, &machine)
            }
        }
        for effect in machine.end() { try await follow(effect, &machine) }
        try promise(machine.end().isEmpty, "a session ends twice")
        return isTaken
    }

    /// Does of an effect what needs no server.
    private static func follow(_ effect: SocketMachine.Effect, _ machine: inout SocketMachine) async throws {
        switch effect {
        case .send(let text): try promise((try? JSONReader.value(text)) != nil, "what is sent is no JSON")
        case .plan(let write, let number):
            do {
                for effect in machine.planned(try await write.order(), bytes: write.count, number: number) {
                    try await follow(effect, &machine)
                }
            } catch let refusal as Refusal {
                try promiseOneLine(refusal)
            }
        case .write(let write, _, _):
            do {
                _ = try await write.write(in: "", by: Identity.nobody.principal)
            } catch let refusal as Refusal {
                try promiseOneLine(refusal)
            }
        case .perform(let orders, let principal):
            for order in orders {
                try promise(!order.entries.isEmpty, "a write of nothing is planned")
                _ = Write(order, in: "", by: principal)
            }
        default: return
        }
    }
}
