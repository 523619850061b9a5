import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server on this machine that answers exactly what a test's script writes, faults included.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        var method: String
        /// Path and query as they came.
        var target: String
        var headers: HTTPHeaders
        var body: String

        func header(_ name: String) -> [String] { headers[name] }
        var path: String { String(target.prefix { $0 != "?" }) }
        var query: [String] { target.drop { $0 != "?" }.dropFirst().split(separator: "&").map(String.init) }
    }

    /// One connection, to answer on.
    struct Line: Sendable {
        let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

        func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

        func reply(_ status: Int, _ headers: [String: String] = [:], _ body: String) async throws {
            var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            try await send(head + "\r\n" + body)
        }

        /// Begins an event stream that ends with the connection.
        func beginStream() async throws {
            try await send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n")
        }

        /// Does nothing until the server ends.
        func staySilent() async {
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
    }

    /// Thrown by a script: closes the connection.
    struct HangUp: Error {}

    typealias Script = @Sendable (Request, Line) async throws -> Void
    fileprivate typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>

    let port: Int
    let scheme: String
    private let seen = Mutex<[Request]>([])

    fileprivate init(port: Int, scheme: String) {
        self.port = port
        self.scheme = scheme
    }

    var url: String { "\(scheme)://127.0.0.1:\(port)" }
    var requests: [Request] { seen.withLock { $0 } }

    fileprivate func serve(_ connection: Connection, _ script: @escaping Script) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var request: Request?
            for try await part in inbound {
                switch part {
                case .head(let head):
                    request = Request(method: "\(head.method)", target: head.uri, headers: head.headers, body: "")
                case .body(let bytes): request?.body += String(buffer: bytes)
                case .end:
                    guard let complete = request else { continue }
                    seen.withLock { $0.append(complete) }
                    try await script(complete, Line(outbound: outbound))
                }
            }
        }
    }
}

/// Runs `body` with a server that follows `script`, and ends the server.
func withServer(
    tls: NIOSSLContext? = nil, _ script: @escaping ScriptedServer.Script,
    _ body: (ScriptedServer) async throws -> Void
) async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
        .bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                return try ScriptedServer.Connection(wrappingChannelSynchronously: channel)
            }
        }
    let server = ScriptedServer(port: listener.channel.localAddress?.port ?? 0, scheme: tls == nil ? "http" : "https")
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            try await listener.executeThenClose { connections in
                await withTaskGroup { lines in
                    do {
                        for try await connection in connections {
                            // A connection that breaks is part of the script.
                            lines.addTask { try? await server.serve(connection, script) }
                        }
                    } catch { return lines.cancelAll() }
                    lines.cancelAll()
                }
            }
        }
        defer { group.cancelAll() }
        try await body(server)
    }
}
