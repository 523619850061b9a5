internal import NIOCore

/// Holds back what a connection sends before anybody serves it.
///
/// A connection whose other end has closed its half is read to the end at once, whether or not reading is on; what
/// comes then must wait for the handlers that understand it.
final class InboundHoldHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Arrival {
        case bytes(NIOAny)
        case event(Any)
    }

    private var arrivals: [Arrival] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { arrivals.append(.bytes(data)) }

    func channelReadComplete(context: ChannelHandlerContext) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { arrivals.append(.event(event)) }

    /// Lets everything on to the handlers that were added meanwhile.
    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        for arrival in arrivals {
            switch arrival {
            case .bytes(let bytes): context.fireChannelRead(bytes)
            case .event(let event): context.fireUserInboundEventTriggered(event)
            }
        }
        if !arrivals.isEmpty { context.fireChannelReadComplete() }
        context.leavePipeline(removalToken: removalToken)
    }
}
