package import NIOCore
internal import NIOHTTP1

/// Ends a connection whose request's body comes so slowly that it is of no use to anybody.
///
/// Only the time counts in which the server is willing to read.
final class SlowBodyHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let rate: BodyRate
    private let unread: UnreadAnswer
    private var isBodyOpen = true
    private var isWanted = false
    /// The bytes of the body that have come since the check before.
    private var bytes = 0
    private var lateness = TimeAmount.zero
    private var check: Scheduled<Void>?

    /// To be added while a body is open.
    init(_ rate: BodyRate, _ unread: UnreadAnswer) {
        self.rate = rate
        self.unread = unread
    }

    func handlerAdded(context: ChannelHandlerContext) { schedule(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isBodyOpen = true
            bytes = 0
            lateness = .zero
        case .body(let part): bytes += part.readableBytes
        case .end:
            isBodyOpen = false
            check?.cancel()
            check = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isWanted = false
        if isBodyOpen, check == nil { schedule(context) }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        isWanted = true
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    private func schedule(_ context: ChannelHandlerContext) {
        bytes = 0
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleTask(in: rate.interval) {
            let (handler, context) = bound.value
            handler.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        check = nil
        guard isBodyOpen else { return }
        guard isWanted else { return schedule(context) }
        lateness = rate.lateness(after: bytes, from: lateness)
        guard bytes < rate.minBytes || lateness > rate.patience else { return schedule(context) }
        context.writeRequestTimeout(unread)
        context.close(promise: nil)
    }
}

/// How quickly a body must come.
package struct BodyRate: Sendable {
    /// How often it is looked at.
    package var interval: TimeAmount
    /// Fewer bytes than this in an interval are too few.
    package var minBytes: Int
    /// So many bytes a second are of use: a body that comes with fewer of them gets late.
    package var usefulBytes: Int
    /// How late a body may be.
    package var patience: TimeAmount

    /// A minute, and a hundred bytes in each of its seconds; a minute later than at 1 KiB a second.
    package init(
        interval: TimeAmount = .seconds(60), minBytes: Int = 6000, usefulBytes: Int = 1024,
        patience: TimeAmount = .seconds(60)
    ) {
        self.interval = interval
        self.minBytes = minBytes
        self.usefulBytes = usefulBytes
        self.patience = patience
    }

    /// How late a body is after one more interval, in which `bytes` have come. Being early is no credit for later.
    func lateness(after bytes: Int, from lateness: TimeAmount) -> TimeAmount {
        max(.zero, lateness + interval - duration(of: bytes))
    }

    /// The time that `bytes` may take.
    package func duration(of bytes: Int) -> TimeAmount {
        .milliseconds(Int64(bytes) * 1000 / Int64(max(1, usefulBytes)))
    }
}
