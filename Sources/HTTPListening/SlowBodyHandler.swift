package import NIOCore
internal import NIOHTTP1

/// Ends a connection whose request's body comes so slowly that it is of no use to anybody.
final class SlowBodyHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let watch: BodyWatch
    private let unread: UnreadAnswer
    private var isBodyOpen = true
    /// Whether the answer has begun: what goes out after it must be a part of it.
    private var isAnswered: Bool

    /// To be added while a body is open.
    ///
    /// - Parameter isAnswered: whether the answer to its request has begun.
    init(_ rate: BodyRate, _ unread: UnreadAnswer, isAnswered: Bool) {
        watch = BodyWatch(rate)
        self.unread = unread
        self.isAnswered = isAnswered
    }

    func handlerAdded(context: ChannelHandlerContext) { begin(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: (isBodyOpen, isAnswered) = (true, false)
        case .body(let part): watch.take(part.readableBytes)
        case .end:
            isBodyOpen = false
            watch.end()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        watch.isWanted = false
        if isBodyOpen { begin(context) }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        watch.isWanted = true
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data), head.status.code >= 200 { isAnswered = true }
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) { watch.end() }

    private func begin(_ context: ChannelHandlerContext) {
        watch.begin(context) { [self] in
            if !isAnswered { context.writeRequestTimeout(unread) }
            context.close(promise: nil)
        }
    }
}

/// How quickly a body must come.
package struct BodyRate: Sendable {
    /// Over how long it is looked at.
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
    private func duration(of bytes: Int) -> TimeAmount {
        .milliseconds(Int64(bytes) * 1000 / Int64(max(1, usefulBytes)))
    }
}
