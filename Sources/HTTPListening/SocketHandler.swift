internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// What a WebSocket needs besides messages: signs of life, and an orderly end.
final class SocketHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = ByteBuffer

    private let manners: SocketManners
    private let farewell: [UInt8]?
    /// Whether the other side has sent something since the last look, or taken what waited for it.
    private var isHeard = true
    /// How many looks in a row it has done neither.
    private var silentLooks = 0
    /// How many of them are as long as it may say nothing.
    private static let looks: Int64 = 3
    private var isInputOpen = true
    /// The fragments of a message that has not come to its end.
    private var begun: ByteBuffer?
    /// Whether who reads waits for more of a message than has come.
    private var isMoreAwaited = false
    private let watch: BodyWatch
    private var isCloseSent = false
    private var reason = SocketEnd.normal
    private var look: RepeatedTask?
    private var closing: Scheduled<Void>?

    /// - Parameters:
    ///   - rate: how quickly a message in pieces must come, counted in whole frames.
    ///   - farewell: goes out last where the server stops.
    init(_ manners: SocketManners, _ rate: BodyRate, farewell: [UInt8]?) {
        self.manners = manners
        watch = BodyWatch(rate)
        self.farewell = farewell
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pause = TimeAmount.nanoseconds(max(1, manners.quiet.nanoseconds / SocketHandler.looks))
        look = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            let (handler, context) = bound.value
            handler.lookForLife(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        look?.cancel()
        watch.end()
        closing?.cancel()
    }

    // MARK: What comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isHeard = true
        let frame = unwrapInboundIn(data)
        if frame.opcode == .connectionClose { return finish(context, frame) }
        guard isInputOpen else { return }
        // What is unmasked may be what a stranger made a proxy believe (RFC 6455, 10.3).
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return end(context, .protocolError) }
        switch frame.opcode {
        case .text where begun == nil: take(frame, after: ByteBuffer(), context)
        case .continuation:
            guard let begun else { return end(context, .protocolError) }
            self.begun = nil
            take(frame, after: begun, context)
        case .ping: answer(frame, context)
        case .pong: break
        case .binary: end(context, .notText)
        default: end(context, .protocolError)
        }
    }

    private func take(_ frame: WebSocketFrame, after begun: ByteBuffer, _ context: ChannelHandlerContext) {
        guard begun.readableBytes + frame.length <= manners.maxMessage else { return end(context, .tooBig) }
        watch.take(frame.length)
        var message = begun
        if message.readableBytes == 0 {
            message = frame.unmaskedData
        } else {
            message.writeImmutableBuffer(frame.unmaskedData)
        }
        guard frame.fin else {
            self.begun = message
            return
        }
        endWatch()
        context.fireChannelRead(wrapInboundOut(.body(message)))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        watch.isWanted = false
        beginWatch(context)
        context.fireChannelReadComplete()
    }

    /// Who takes what waited is there, also where its own words wait behind it and are not read.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { isHeard = true }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        watch.isWanted = true
        context.read()
    }

    private func beginWatch(_ context: ChannelHandlerContext) {
        guard isInputOpen, begun != nil || isMoreAwaited else { return }
        watch.begin(context) { [self] in end(context, .tooSlow) }
    }

    private func endWatch() {
        if begun == nil, !isMoreAwaited { watch.end() }
    }

    /// The other side has sent its last frame: answers with its own words, or closes where it is the answer.
    private func finish(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
        guard !isCloseSent else { return context.close(promise: nil) }
        end(context, SocketHandler.reason(frame))
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: end(context, .tooBig)
        case is NIOWebSocketError: end(context, .protocolError)
        default: context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A WebSocket has no halves: who sends no more is gone.
        if case .some(.inputClosed) = event as? ChannelEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func answer(_ ping: WebSocketFrame, _ context: ChannelHandlerContext) {
        // Who does not read gets no more answers than fit.
        guard context.channel.isWritable else { return }
        let data = ping.unmaskedData
        var frame = ByteBuffer(bytes: [0x8A, UInt8(data.readableBytes)])
        frame.writeImmutableBuffer(data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    /// What the other side has said that it ends for, to be said again.
    private static func reason(_ frame: WebSocketFrame) -> SocketEnd {
        var data = frame.unmaskedData
        guard let code = data.readInteger(as: UInt16.self) else { return .normal }
        let isKnown = (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
        return isKnown ? SocketEnd(code: code) : .protocolError
    }

    // MARK: What goes

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .body(.byteBuffer(let frames)) where !isCloseSent:
            context.write(wrapOutboundOut(frames), promise: promise)
        case .end:
            end(context, reason)
            promise?.succeed()
        default: promise?.succeed()
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case let reason as SocketEnd: self.reason = reason
        case let wait as SocketWait:
            isMoreAwaited = wait == .more
            beginWatch(context)
            endWatch()
        default: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .all else { return context.close(mode: mode, promise: promise) }
        // Only a server that stops closes what comes in.
        if mode == .input, !isCloseSent, let farewell {
            var frame = ByteBuffer()
            SocketFrames.append(farewell[...], to: &frame)
            context.write(wrapOutboundOut(frame), promise: nil)
        }
        end(context, .goingAway)
        promise?.succeed()
    }

    /// Sends the last frame, and closes when the other side has closed, or after a while.
    private func end(_ context: ChannelHandlerContext, _ reason: SocketEnd) {
        if !isCloseSent {
            isCloseSent = true
            var frame = ByteBuffer()
            SocketFrames.appendClose(reason, to: &frame)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            closing = context.eventLoop.scheduleTask(in: manners.lingering) { bound.value.close(promise: nil) }
        }
        guard isInputOpen else { return }
        isInputOpen = false
        watch.end()
        context.fireChannelRead(wrapInboundOut(.end(nil)))
        context.fireChannelReadComplete()
    }

    private func lookForLife(_ context: ChannelHandlerContext) {
        defer { isHeard = false }
        silentLooks = isHeard ? 0 : silentLooks + 1
        if silentLooks == 2 * SocketHandler.looks { return context.close(promise: nil) }
        guard silentLooks == SocketHandler.looks else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [0x89, 0])), promise: nil)
    }
}
