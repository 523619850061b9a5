import ControlAPI
import FoundationEssentials
import NIOCore
import TestSupport

/// What came back for bytes sent over a Unix socket.
struct RawReply {
    var status: Int
    var head: String
    var body: String

    /// The body's JSON; its keys can be asked for.
    func read<Reply: Decodable>(_ type: Reply.Type) throws -> Reply {
        try ControlJSON.read(type, from: Data(body.utf8))
    }
}

/// Sends `request` as it is, and reads until the other end closes or `enough` says so.
func exchange(
    _ request: String, at socket: String, until enough: @Sendable (String) -> Bool = { _ in false }
) async throws -> RawReply {
    let text = try await exchange(request, at: SocketAddress(unixDomainSocketPath: socket), until: enough)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return RawReply(
        status: status, head: parts.first.map(String.init) ?? "", body: parts.count > 1 ? String(parts[1]) : ""
    )
}

/// One request on a connection of its own.
func ask(
    _ method: String, _ path: String, body: String = "", at socket: String, headers: String = ""
) async throws -> RawReply {
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    return try await exchange(
        "\(method) \(path) HTTP/1.1\r\nHost: moviesync\r\nConnection: close\r\n\(headers)\(length)\r\n\(body)",
        at: socket
    )
}
