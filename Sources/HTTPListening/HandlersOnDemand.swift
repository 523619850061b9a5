internal import NIOCore
internal import NIOHTTP1

/// Sees to what ``ConnectionReuse`` says, and adds to a connection what few requests need, when the first one does: each
/// handler costs every request a little, and every piece of an answer.
final class HandlersOnDemand: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let manners: ConnectionManners
    private var reuse = ConnectionReuse()
    private var coding: [any RemovableChannelHandler] = []
    private var slowBody: SlowBodyHandler?
    private var hasDoor = false
    private var isBodyOpen = false

    init(_ manners: ConnectionManners) { self.manners = manners }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            isBodyOpen = true
            reuse.ask(&head)
            if manners.compresses { AnswerCoding.narrow(&head) { canPack(context) } }
            if let sockets = manners.sockets, SocketDoor.asks(head) { addDoor(sockets, context) }
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: break
        case .end: isBodyOpen = false
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isBodyOpen, slowBody == nil {
            let handler = SlowBodyHandler(manners.bodyRate)
            if (try? context.pipeline.syncOperations.addHandler(handler, position: .before(self))) != nil {
                slowBody = handler
            }
        }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), reuse.answer(&head) else {
            return context.write(data, promise: promise)
        }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private func canPack(_ context: ChannelHandlerContext) -> Bool {
        // They begin with this request, and count on having seen all that are not answered yet.
        guard coding.isEmpty, reuse.unansweredCount == 1 else { return !coding.isEmpty }
        let handlers = AnswerCoding.handlers()
        guard (try? context.pipeline.syncOperations.addHandlers(handlers, position: .after(self))) != nil else {
            return false
        }
        coding = handlers
        return true
    }

    private func addDoor(_ sockets: SocketManners, _ context: ChannelHandlerContext) {
        guard !hasDoor else { return }
        let position = ChannelPipeline.SynchronousOperations.Position.after(coding.last ?? self)
        hasDoor = (try? context.pipeline.syncOperations.addHandler(SocketDoor(sockets), position: position)) != nil
    }

    /// Takes with it what understands HTTP of what it has added.
    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        for handler in coding { context.pipeline.syncOperations.removeHandler(handler, promise: nil) }
        if let slowBody { context.pipeline.syncOperations.removeHandler(slowBody, promise: nil) }
        context.leavePipeline(removalToken: removalToken)
    }
}
