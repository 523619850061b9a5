import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport

/// A server that notes what it is sent, and answers as it is told.
final class WebhookReceiver: Sendable {
    struct Heard: Sendable {
        var headers: [String: String]
        var body: [UInt8]
    }

    private struct State: Sendable {
        var heard: [Heard] = []
        var status = HTTPResponseStatus.noContent
        var headers = HTTPHeaders()
    }

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let port: Int
    private let state = Mutex(State())

    /// Serves on this machine alone until the site ends.
    init(_ site: Site) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return AcceptedChannel(channel)
                }
            }
        port = server.channel.localAddress?.port ?? 0
        site.add {
            try? await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections { group.addTask { try? await self.serve(connection) } }
                }
            }
        }
    }

    var heard: [Heard] { state.withLock { $0.heard } }

    /// What is answered from now on.
    func answer(_ status: Int, location: String? = nil) {
        state.withLock { state in
            state.status = HTTPResponseStatus(statusCode: status)
            state.headers = HTTPHeaders(location.map { [("location", $0)] } ?? [])
        }
    }

    private func serve(_ accepted: AcceptedChannel) async throws {
        let connection = try await accepted.served(as: Connection.self)
        try await connection.executeThenClose { inbound, outbound in
            var heard = Heard(headers: [:], body: [])
            for try await part in inbound {
                switch part {
                case .head(let head):
                    let names = head.headers.map { ($0.name.lowercased(), $0.value) }
                    heard = Heard(headers: Dictionary(names) { first, _ in first }, body: [])
                case .body(let piece): heard.body += Array(piece.readableBytesView)
                case .end:
                    let (status, headers) = state.withLock { state in
                        state.heard.append(heard)
                        return (state.status, state.headers)
                    }
                    var all = headers
                    all.replaceOrAdd(name: "content-length", value: "0")
                    try await outbound.write(.head(.init(version: .http1_1, status: status, headers: all)))
                    try await outbound.write(.end(nil))
                }
            }
        }
    }
}
