internal import HummingbirdCore
package import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Lets a request become a WebSocket (RFC 6455) where whoever answers it says so, with status 101.
///
/// The other side sees one request whose body never ends: each part of it is one text message, and each part of the
/// answer's body is what goes out, as ``SocketFrames`` makes it.
final class SocketDoor: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let manners: SocketManners
    private let rate: BodyRate
    private var asking: HTTPRequestHead?
    /// The end of a request that asks, which is not told before there is an answer.
    private var end: HTTPServerRequestPart?

    /// - Parameter rate: how quickly a message in pieces must come.
    init(_ manners: SocketManners, _ rate: BodyRate) {
        self.manners = manners
        self.rate = rate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            asking = SocketDoor.asks(head) ? head : nil
        case .body: break
        case .end where asking != nil:
            end = unwrapInboundIn(data)
            return
        case .end: break
        }
        context.fireChannelRead(data)
    }

    /// Whether `head` asks to become a WebSocket, and is all of the request.
    static func asks(_ head: HTTPRequestHead) -> Bool {
        let headers = head.headers
        return head.method == .GET && headers.contains(name: "upgrade") && !headers.contains(name: "content-length")
            && !headers.contains(name: "transfer-encoding")
            && headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
            && headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data), let asking,
            head.status.code >= 200 || head.status == .switchingProtocols
        {
            self.asking = nil
            guard head.status != .switchingProtocols else { return open(context, asking, data, promise) }
            if let end { context.fireChannelRead(wrapInboundOut(end)) }
            context.fireChannelReadComplete()
        }
        context.write(data, promise: promise)
    }

    /// Sends the head of the answer, and puts what understands frames in the place of what understands HTTP.
    private func open(
        _ context: ChannelHandlerContext, _ request: HTTPRequestHead, _ head: NIOAny, _ promise: EventLoopPromise<Void>?
    ) {
        context.writeAndFlush(head, promise: promise)
        let pipeline = context.pipeline.syncOperations
        do {
            let host = request.headers.first(name: "host") ?? ""
            let http = try SocketDoor.handlersOfHTTP(in: pipeline)
            try pipeline.addHandlers(
                ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: manners.maxMessage)),
                SocketHandler(manners, rate, farewell: manners.farewell(host)), position: .before(self))
            for handler in http { pipeline.removeHandler(handler, promise: nil) }
        } catch {
            return context.close(promise: nil)
        }
        pipeline.removeHandler(self, promise: nil)
    }
}

extension SocketDoor {
    /// What understands HTTP, and goes when the connection becomes a WebSocket.
    private static func handlersOfHTTP(
        in pipeline: ChannelPipeline.SynchronousOperations
    ) throws -> [any RemovableChannelHandler] {
        [
            try pipeline.handler(type: HTTPResponseEncoder.self),
            try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self),
            try pipeline.handler(type: HTTPConnectionStateHandler.self),
            try pipeline.handler(type: HandlersOnDemand.self),
        ]
    }
}

/// How the WebSockets of one server behave.
package struct SocketManners: Sendable {
    /// Whoever sends nothing for so long is asked for a sign of life, and the connection closes where none comes within
    /// the same time again.
    package var quiet: TimeAmount
    /// How long the other side may take to close.
    package var lingering: TimeAmount
    /// The most bytes of one text message, which may come in fragments.
    package var maxMessage: Int
    /// The text that goes out last where the server stops; nil for none. Gets the host by which the request came.
    let farewell: @Sendable (String) -> [UInt8]?

    package init(
        quiet: TimeAmount = .seconds(60), lingering: TimeAmount = .seconds(2), maxMessage: Int = 1 << 20,
        farewell: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
    ) {
        self.quiet = quiet
        self.lingering = lingering
        self.maxMessage = maxMessage
        self.farewell = farewell
    }
}
