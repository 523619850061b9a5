internal import NIOCore
internal import NIOHTTP1

/// Sees to what ``ConnectionReuse`` and ``HeadDeadline`` say, and adds to a connection what few requests need, when the
/// first one does: each handler costs every request a little, and every piece of an answer.
final class HandlersOnDemand: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let manners: ConnectionManners
    private let headDeadline: HeadDeadline
    private var reuse = ConnectionReuse()
    private var coding: [any RemovableChannelHandler] = []
    private var slowBody: SlowBodyHandler?
    private var hasDoor = false
    private var isBodyOpen = false
    /// Nothing that still comes is of use: after a head that can't be answered, or the last answer.
    private var isRefused = false
    private var lingering: Scheduled<Void>?
    /// When the last piece of what is of no use came.
    private var lastDropped = NIODeadline.distantPast
    /// Whether a part of a head has come.
    private var hasHeadBegun = false
    /// Whether what has come since the reading before was a part of a request.
    private var hasPart = false

    init(_ manners: ConnectionManners) {
        self.manners = manners
        headDeadline = HeadDeadline(manners.headTime)
    }

    func handlerAdded(context: ChannelHandlerContext) { awaitHead(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasPart = true
        guard !isRefused else {
            lastDropped = context.eventLoop.now
            if case .end = unwrapInboundIn(data) { isBodyOpen = false }
            return
        }
        switch unwrapInboundIn(data) {
        case .head(var head):
            hasHeadBegun = false
            isBodyOpen = true
            headDeadline.meet()
            guard head.namesHost(isNeeded: context.channel.localAddress?.protocol != .unix) else {
                isRefused = true
                return context.fireErrorCaught(HTTPParserError.invalidHost)
            }
            let closes = reuse.ask(&head)
            let isNarrowed = manners.compresses && AnswerCoding.narrow(&head) { canPack(context) }
            if let sockets = manners.sockets, SocketDoor.asks(head) { addDoor(sockets, context) }
            if closes || isNarrowed { return context.fireChannelRead(wrapInboundOut(.head(head))) }
        case .body: break
        case .end: isBodyOpen = false
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isBodyOpen, slowBody == nil {
            let handler = SlowBodyHandler(
                manners.bodyRate, manners.unread, isAnswered: reuse.unansweredCount == 0)
            if (try? context.pipeline.syncOperations.addHandler(handler, position: .before(self))) != nil {
                slowBody = handler
            }
        }
        // Bytes that make no part yet are those of a head.
        if !isBodyOpen, !hasPart {
            hasHeadBegun = true
            awaitHead(context)
        }
        hasPart = false
        context.fireChannelReadComplete()
        if isRefused, isBodyOpen { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        headDeadline.meet()
        lingering?.cancel()
    }

    /// So long may the other end take to see that its connection ends, and to send each piece of what it is sending.
    private static let patience = TimeAmount.seconds(2)
    /// So long may it send what nobody needs.
    private static let mostPatience = TimeAmount.seconds(60)

    /// After the last answer: what still comes of its request's body is read, for who reads nothing before all is sent, and
    /// dropped.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        let closed = promise ?? context.eventLoop.makePromise()
        closed.futureResult.assumeIsolated().whenComplete { [self] _ in
            linger(context, until: context.eventLoop.now + HandlersOnDemand.mostPatience)
        }
        isRefused = true
        context.close(mode: .output, promise: closed)
        if isBodyOpen { context.read() }
    }

    /// Ends the connection when nothing has come for a while, and at the latest at this time: whoever still sends would not
    /// see the answer.
    private func linger(_ context: ChannelHandlerContext, until end: NIODeadline) {
        lingering = context.eventLoop.assumeIsolated().scheduleTask(in: HandlersOnDemand.patience) { [self] in
            let now = context.eventLoop.now
            guard now < end, lastDropped + HandlersOnDemand.patience > now else { return context.close(promise: nil) }
            linger(context, until: end)
        }
    }

    /// Ends the connection when no head of a request is there in time, where nothing is left to be answered.
    private func awaitHead(_ context: ChannelHandlerContext) {
        headDeadline.begin(context) { [self] in
            guard reuse.unansweredCount == 0 else { return awaitHead(context) }
            if hasHeadBegun { context.writeRequestTimeout(manners.unread) }
            context.close(promise: nil)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        // Nobody's answer: what came can't be read as a request, or not to its end.
        let isWordless = head.status == .badRequest && !head.headers.contains(name: "Content-Type")
        if isWordless, let words = manners.unread.words(&head) {
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            return context.write(wrapOutboundOut(.body(.byteBuffer(words))), promise: nil)
        }
        let hasChoice = manners.compresses && AnswerCoding.noteChoice(&head)
        guard reuse.answer(&head) || hasChoice else { return context.write(data, promise: promise) }
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
        let door = SocketDoor(sockets, manners.bodyRate)
        hasDoor = (try? context.pipeline.syncOperations.addHandler(door, position: position)) != nil
    }

    /// Takes with it what understands HTTP of what it has added.
    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        for handler in coding { context.pipeline.syncOperations.removeHandler(handler, promise: nil) }
        if let slowBody { context.pipeline.syncOperations.removeHandler(slowBody, promise: nil) }
        context.leavePipeline(removalToken: removalToken)
    }
}

extension HTTPRequestHead {
    /// Whether it says once which host is asked, or is so old that it need not (RFC 9112, section 3.2).
    ///
    /// - Parameter isNeeded: whether there are hosts to choose from; on a socket in the file system there are none.
    fileprivate func namesHost(isNeeded: @autoclosure () -> Bool) -> Bool {
        let count = headers["Host"].count
        return count == 1 || (count == 0 && (version != .http1_1 || !isNeeded()))
    }
}
