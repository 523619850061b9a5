package import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import OperatingSystem
internal import ServiceLifecycle
internal import Synchronization

/// Serves HTTP/1.1 on a socket that somebody else has bound and is listening on.
///
/// A plain accept loop instead of Hummingbird's application: it serves bound and inherited sockets alike, ends open
/// event streams at once when it stops, and wakes nobody while idle.
package struct AcceptLoop: Sendable {
    private let descriptor: CInt
    private let http: HTTP1Channel
    private let noDelay: Bool
    private let compresses: Bool
    private let bodyRate: BodyRate
    private let headTime: TimeAmount
    private let tls: ServerTLS?
    private let sockets: SocketManners?
    private let unread: UnreadAnswer
    private let whenEnded: @Sendable () -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - descriptor: a listening socket; ``run()`` takes it over and closes it.
    ///   - compresses: whether long answers are packed for those who ask for it.
    ///   - bodyRate: a body that comes more slowly ends its connection.
    ///   - headTime: how long the head of a request may take, and a connection to send its first one.
    ///   - noDelay: whether small answers leave at once, for TCP sockets.
    ///   - tls: nil for plain HTTP.
    ///   - sockets: how WebSockets behave; nil where no request may become one.
    ///   - unread: what is said where no request can be read.
    ///   - whenEnded: is called after each connection.
    package init(
        descriptor: CInt, http: HTTP1Channel, noDelay: Bool, compresses: Bool = false, bodyRate: BodyRate = BodyRate(),
        headTime: TimeAmount = .seconds(60), tls: ServerTLS? = nil, sockets: SocketManners? = nil,
        unread: UnreadAnswer = .none, whenEnded: @escaping @Sendable () -> Void = {}, logger: Logger
    ) {
        self.descriptor = descriptor
        self.http = http
        self.noDelay = noDelay
        self.compresses = compresses
        self.bodyRate = bodyRate
        self.headTime = headTime
        self.tls = tls
        self.sockets = sockets
        self.unread = unread
        self.whenEnded = whenEnded
        self.logger = logger
    }

    /// Serves until graceful shutdown or cancellation; to be called once.
    package func run() async throws {
        let (http, whenEnded, logger) = (http, whenEnded, logger)
        let manners = ConnectionManners(
            tls: tls, compresses: compresses, bodyRate: bodyRate, headTime: headTime, sockets: sockets,
            unread: unread)
        var bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptErrorHandler(logger: logger))
                }
            }
            .serverChannelOption(.maxMessagesPerRead, value: 64)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
        if noDelay { bootstrap = bootstrap.childChannelOption(.tcpOption(.tcp_nodelay), value: 1) }
        let server = try await bootstrap.bind(
            descriptor, serverBackPressureStrategy: .init(lowWatermark: 64, highWatermark: 1024)
        ) { channel in
            channel.eventLoop.makeCompletedFuture { try AcceptedConnection(channel) }
        }
        // NIO has called listen once more, with 128, before it knows of any option. Where this fails, that stays.
        TCPListener.raiseBacklog(of: descriptor)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withThrowingDiscardingTaskGroup { group in
                try await server.executeThenClose { connections in
                    for try await connection in connections {
                        group.addTask {
                            await connection.serve(http, manners, logger)
                            whenEnded()
                        }
                    }
                }
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            server.channel.close(promise: nil)
        }
    }
}

/// What all connections of one server have in common.
struct ConnectionManners: Sendable {
    /// Nil for plain HTTP.
    let tls: ServerTLS?
    /// Whether long answers are packed for those who ask for it.
    let compresses: Bool
    let bodyRate: BodyRate
    let headTime: TimeAmount
    /// Nil where no request may become a WebSocket.
    let sockets: SocketManners?
    let unread: UnreadAnswer
}

/// A connection between being accepted and being served.
///
/// NIO's async channels must not be dropped unused, which ends the process; but those still waiting in the accept loop
/// when it stops are dropped. So a connection becomes one only when it is served, and reads nothing before.
private final class AcceptedConnection: Sendable {
    private let channel: any Channel
    private let isServed = Mutex(false)

    /// To be called on the channel's event loop.
    init(_ channel: any Channel) throws {
        self.channel = channel
        try channel.pipeline.syncOperations.addHandler(InboundHoldHandler())
    }

    deinit {
        if !isServed.withLock({ $0 }) { channel.close(promise: nil) }
    }

    /// Answers requests until either side ends the connection; to be called once.
    func serve(_ http: HTTP1Channel, _ manners: ConnectionManners, _ logger: Logger) async {
        isServed.withLock { $0 = true }
        do {
            let (channel, loop) = (channel, channel.eventLoop)
            let requests = try await loop.flatSubmit {
                AcceptedConnection.prepared(channel, http, manners, logger)
            }.get()
            loop.execute { AcceptedConnection.begin(channel) }
            await http.handle(value: requests, logger: logger)
        } catch {
            // The other end was gone before it could be served.
            channel.close(promise: nil)
        }
    }

    /// Adds all handlers; to be called on the channel's event loop.
    private static func prepared(
        _ channel: any Channel, _ http: HTTP1Channel, _ manners: ConnectionManners, _ logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            try manners.tls?.begin(on: channel)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http.setup(channel: channel, logger: logger).flatMapThrowing { requests in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HandlersOnDemand(manners), position: .after(decoder))
            return requests
        }
    }

    /// Lets in what has come already, and reads on; to be called on the channel's event loop.
    private static func begin(_ channel: any Channel) {
        let pipeline = channel.pipeline.syncOperations
        // A handler is gone with its connection, and then there is nothing to begin.
        if let hold = try? pipeline.context(handlerType: InboundHoldHandler.self) {
            pipeline.removeHandler(context: hold, promise: nil)
        }
        channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
    }
}

/// Keeps one connection that can't be accepted (no descriptor left, gone already) from ending the whole server, or from being
/// tried again without a pause.
final class AcceptErrorHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.seconds(1)

    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.warning(
            "A connection can't be accepted",
            metadata: ["event": "connection.accept.failed", "error": "\(error)"]
        )
        guard let failure = error as? IOError, SystemError.isShortage(failure.errnoCode) else { return }
        // Reading no more ends its interest in who waits, which NIO's own pause does not.
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in }
        context.eventLoop.scheduleTask(in: AcceptErrorHandler.pause) {
            channel.setOption(.autoRead, value: true).whenComplete { _ in }
        }
    }
}
