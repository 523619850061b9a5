internal import NIOCore
internal import NIOHTTP1

/// Adds to a connection what few requests need, when the first one does: each handler costs every request a little.
final class HandlersOnDemand: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Stands before this one.
    private let reuse: ConnectionReuseHandler
    /// Whether long answers are packed for those who ask for it.
    private let compresses: Bool
    private let bodyRate: BodyRate
    /// What stands behind all others where a request may become a WebSocket.
    private let makeDoor: (HandlersOnDemand) -> SocketDoor?

    private var coding: [any RemovableChannelHandler] = []
    private var slowBody: SlowBodyHandler?
    private var hasDoor = false
    private var isBodyOpen = false

    init(
        after reuse: ConnectionReuseHandler, compresses: Bool, bodyRate: BodyRate,
        makeDoor: @escaping (HandlersOnDemand) -> SocketDoor?
    ) {
        self.reuse = reuse
        self.compresses = compresses
        self.bodyRate = bodyRate
        self.makeDoor = makeDoor
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            isBodyOpen = true
            if compresses { AnswerCoding.narrow(&head) { canPack(context) } }
            if SocketDoor.asks(head) { addDoor(context) }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            isBodyOpen = false
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isBodyOpen, slowBody == nil {
            let handler = SlowBodyHandler(bodyRate)
            if (try? context.pipeline.syncOperations.addHandler(handler, position: .before(self))) != nil {
                slowBody = handler
            }
        }
        context.fireChannelReadComplete()
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

    private func addDoor(_ context: ChannelHandlerContext) {
        guard !hasDoor, let door = makeDoor(self) else { return }
        let position = ChannelPipeline.SynchronousOperations.Position.after(coding.last ?? self)
        hasDoor = (try? context.pipeline.syncOperations.addHandler(door, position: position)) != nil
    }

    /// Takes with it what understands HTTP of what it has added.
    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        for handler in coding { context.pipeline.syncOperations.removeHandler(handler, promise: nil) }
        if let slowBody { context.pipeline.syncOperations.removeHandler(slowBody, promise: nil) }
        context.leavePipeline(removalToken: removalToken)
    }
}
