package import ControlAPI
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization

/// Answers the control socket: HTTP/1.1 over a Unix socket that somebody else has bound and is listening on.
///
/// A plain accept loop instead of Hummingbird's application: it serves bound and inherited sockets alike, ends open
/// event streams at once when the daemon stops, and wakes nobody while idle.
package final class ControlServer: Service {
    private let descriptor: CInt
    private let http: HTTP1Channel
    private let logger: Logger

    /// - Parameter descriptor: a listening Unix socket; ``run()`` takes it over and closes it.
    /// - Parameter changers: the user ids that may change something; everybody who can connect may read and sync.
    package init(descriptor: CInt, service: any ControlService, changers: Set<UInt32>, logger: Logger) {
        self.descriptor = descriptor
        self.logger = logger
        let responder = ControlRouter(service: service, changers: changers, logger: logger).responder()
        http = HTTP1Channel(
            responder: { request, writer, channel in
                let context = ControlContext(source: .init(channel: channel, logger: logger))
                let response = try await responder.respond(to: request, context: context)
                try await writer.write(response: response.head, body: response.body)
            },
            // Ends connections that ask for nothing, and requests that never end; open answers are left alone.
            configuration: .init(idleTimeout: .minutes(5))
        )
    }

    /// Serves until the daemon stops or the task is cancelled; may be called once.
    package func run() async throws {
        let (http, logger) = (http, logger)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        AcceptBackoffHandler(), AcceptErrors(logger: logger)
                    )
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .bind(descriptor) { channel in channel.eventLoop.makeCompletedFuture { AcceptedConnection(channel) } }
        logger.info("The control socket is served", metadata: ["event": "control.serving"])
        try await withGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { group in
                try await server.executeThenClose { connections in
                    for try await connection in connections {
                        group.addTask { await connection.serve(http, logger) }
                    }
                }
                group.cancelAll()
            }
        } onGracefulShutdown: {
            server.channel.close(promise: nil)
        }
        logger.info("The control socket is closed", metadata: ["event": "control.closed"])
    }
}

/// A connection between being accepted and being served.
///
/// NIO's async channels must not be dropped unused, which ends the process; but those still waiting in the accept loop
/// when it stops are dropped. So a connection becomes one only when it is served, and reads nothing before.
private final class AcceptedConnection: Sendable {
    private let channel: any Channel
    private let isServed = Mutex(false)

    init(_ channel: any Channel) { self.channel = channel }

    deinit {
        if !isServed.withLock({ $0 }) { channel.close(promise: nil) }
    }

    /// Answers requests until either side ends the connection; to be called once.
    func serve(_ http: HTTP1Channel, _ logger: Logger) async {
        isServed.withLock { $0 = true }
        do {
            let (channel, loop) = (channel, channel.eventLoop)
            let requests = try await loop.flatSubmit { http.setup(channel: channel, logger: logger) }.get()
            channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
            await http.handle(value: requests, logger: logger)
        } catch {
            // The other end was gone before it could be served.
            channel.close(promise: nil)
        }
    }
}

/// Keeps one connection that can't be accepted (no descriptor left, gone already) from ending the whole server.
private final class AcceptErrors: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel

    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.warning(
            "A control connection can't be accepted",
            metadata: ["event": "control.accept.failed", "error": "\(error)"]
        )
    }
}
