internal import DatabaseTree
internal import JSONText
internal import SyncModel

/// What goes to a client besides events.
enum SocketReply {
    static let protocolVersion = "5"

    /// The first message of a session.
    static func handshake(now: Int64, host: String, session: String) -> [UInt8] {
        control("h", ["ts": .integer(now), "v": .string(protocolVersion), "h": .string(host), "s": .string(session)])
    }

    /// Tells the client to come again, to `host`.
    static func reset(host: String) -> [UInt8] { control("r", .string(host)) }

    static let pong = control("o", [:])

    /// Says what was wrong before a connection ends.
    static func fault(_ message: String) -> [UInt8] { control("e", .string(message)) }

    private static func control(_ kind: String, _ data: JSONValue) -> [UInt8] {
        JSONWriter.text(["t": "c", "d": ["t": .string(kind), "d": data]])
    }

    /// The answer to a request.
    static func answer(_ number: Int, _ status: String = "ok", _ data: JSONValue = "") -> [UInt8] {
        JSONWriter.text(["t": "d", "d": ["r": .integer(Int64(number)), "b": ["s": .string(status), "d": data]]])
    }

    /// The answer to a request that was refused.
    static func answer(_ number: Int, _ refusal: Refusal) -> [UInt8] {
        answer(number, status(refusal), .string(refusal.message))
    }

    /// The beginning of an answer whose data follow, and then ``answerEnd``.
    static func answerOpening(_ number: Int) -> [UInt8] {
        Array(#"{"t":"d","d":{"r":\#(number),"b":{"s":"ok","d":"#.utf8)
    }

    static let answerEnd = Array("}}}".utf8)

    /// A message that nobody has asked for.
    static func push(_ action: String, _ body: JSONValue) -> [UInt8] {
        JSONWriter.text(["t": "d", "d": ["a": .string(action), "b": body]])
    }

    /// The word that client libraries know for a refusal.
    static func status(_ refusal: Refusal) -> String {
        switch refusal {
        case .permissionDenied, .unknownDatabase: "permission_denied"
        case .expiredToken: "expired_token"
        case .writeTooBig, .tooLong: "too_big"
        default:
            switch refusal.status {
            case 401: "invalid_token"
            case 500...: "unavailable"
            default: "error"
            }
        }
    }
}
