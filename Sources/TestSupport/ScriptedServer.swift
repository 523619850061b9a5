package import NIOCore
package import NIOHTTP1
internal import NIOPosix
package import NIOSSL
internal import Synchronization

/// A server on this machine that answers exactly what a test's script writes, faults included.
package final class ScriptedServer: Sendable {
    package struct Request: Sendable {
        package var method: String
        /// Path and query as they came.
        package var target: String
        package var headers: HTTPHeaders
        package var body: String

        package func header(_ name: String) -> [String] { headers[name] }
        package var path: String { String(target.prefix { $0 != "?" }) }
        package var query: [String] { target.drop { $0 != "?" }.dropFirst().split(separator: "&").map(String.init) }
    }

    /// One connection, to answer on.
    package struct Line: Sendable {
        package let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        fileprivate let channel: any Channel

        package func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

        package func reply(_ status: Int, _ headers: [String: String] = [:], _ body: String) async throws {
            var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            try await send(head + "\r\n" + body)
        }

        /// Begins an event stream that ends with the connection.
        package func beginStream() async throws {
            try await send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n")
        }

        /// Returns when the other end has closed.
        package func untilClosed() async { try? await channel.closeFuture.get() }

        /// Does nothing until the server ends.
        package func staySilent() async {
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
    }

    /// Thrown by a script: closes the connection.
    package struct HangUp: Error {
        package init() {}
    }

    package typealias Script = @Sendable (Request, Line) async throws -> Void
    fileprivate typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>

    package let port: Int
    private let scheme: String
    /// Rings at each request.
    package let bell = Bell()
    private let seen = Mutex<[Request]>([])

    fileprivate init(port: Int, scheme: String) {
        self.port = port
        self.scheme = scheme
    }

    package var url: String { "\(scheme)://127.0.0.1:\(port)" }
    package var requests: [Request] { seen.withLock { $0 } }

    fileprivate func serve(_ accepted: AcceptedChannel, _ script: @escaping Script) async throws {
        let connection = try await accepted.served(as: Connection.self)
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
                    bell.ring()
                    try await script(complete, Line(outbound: outbound, channel: connection.channel))
                }
            }
        }
    }
}

/// Runs `body` with a server that follows `script`, and ends the server.
///
/// - Parameter socket: where it listens in the file system; nil for a free port.
package func withServer(
    tls: NIOSSLContext? = nil, at socket: String? = nil, _ script: @escaping ScriptedServer.Script,
    _ body: (ScriptedServer) async throws -> Void
) async throws {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelOption(.autoRead, value: false)
    let prepared = { @Sendable (channel: any Channel) in
        channel.eventLoop.makeCompletedFuture {
            if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
            try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
            return AcceptedChannel(channel)
        }
    }
    let listener =
        if let socket {
            try await bootstrap.bind(unixDomainSocketPath: socket, childChannelInitializer: prepared)
        } else {
            try await bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .bind(host: "127.0.0.1", port: 0, childChannelInitializer: prepared)
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
