internal import Crypto
internal import DatabaseTree
internal import FoundationEssentials
internal import HTTPTypes

/// A request to become a WebSocket, and what it says of the session.
struct SocketRoute: Sendable {
    private static let webSocket = "/.ws"
    private static let longPolling = "/.lp"
    private static let version = "13"
    /// Stands in RFC 6455 for everybody.
    private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The database's name; empty for the default one.
    let database: String
    /// The host by which the client has come, and can come again.
    let host: String
    /// The session that the client had before.
    let last: String?
    private let key: String

    /// Whether this is about sessions, and not about REST.
    static func isMeant(by head: HTTPRequest) -> Bool {
        let path = head.pathAlone
        return path == webSocket || path == longPolling
    }

    /// Throws a refusal where the request can't become a WebSocket.
    init(_ head: HTTPRequest) throws(Refusal) {
        guard head.pathAlone == SocketRoute.webSocket else { throw .noLongPolling }
        let fields = head.headerFields
        let connection = fields[.connection]?.lowercased().split { $0 == "," || $0 == " " }
        guard head.method == .get, fields[.upgrade]?.lowercased() == "websocket",
            connection?.contains("upgrade") == true, fields[.contentLength] == nil, fields[.transferEncoding] == nil,
            let key = fields[.secWebSocketKey], Data(base64Encoded: key)?.count == 16
        else { throw .noWebSocket }
        guard fields[.secWebSocketVersion] == SocketRoute.version else { throw .otherWebSocket }
        let parameters = try RestRequest.split(head.path ?? "").parameters
        func parameter(_ name: String) -> String? { parameters.last { $0.name == name }?.value }
        let name = parameter("ns") ?? ""
        guard RestRequest.isDatabaseName(name) else {
            throw .badRequest("ns must be the name of a database: at most 256 bytes, no control characters")
        }
        self.key = key
        host = head.authority ?? ""
        last = parameter("ls")
        database = RestRequest.database(name, at: host)
    }

    /// The head of the answer that makes the connection a WebSocket.
    var answer: HTTPResponse {
        var fields = HTTPFields()
        fields[.upgrade] = "websocket"
        fields[.connection] = "Upgrade"
        let digest = Insecure.SHA1.hash(data: Data((key + SocketRoute.identifier).utf8))
        fields[.secWebSocketAccept] = Data(digest).base64EncodedString()
        return HTTPResponse(status: .switchingProtocols, headerFields: fields)
    }
}

extension Refusal {
    fileprivate static let noLongPolling = Refusal(
        404, "Long polling is not served: let the client library use WebSockets alone")
    fileprivate static let noWebSocket = Refusal(
        400, "This is the place of WebSockets (RFC 6455), for the client libraries of apps")
    fileprivate static let otherWebSocket = Refusal(426, "This server speaks version 13 of WebSockets")
}
