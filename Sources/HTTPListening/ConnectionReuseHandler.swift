internal import NIOCore
internal import NIOHTTP1

/// Decides whether a connection stays open after a response, and answers HTTP/1.0 in HTTP/1.0.
///
/// A client of HTTP/1.0 does not understand chunks, so an answer ends with its connection. What a client says in
/// `Connection` is turned into the one spelling that the server looks for.
final class ConnectionReuseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Request {
        var isHTTP10: Bool
        var keepsAlive: Bool
    }

    /// The requests that have not been answered yet.
    private var unanswered = CircularBuffer<Request>()
    var unansweredCount: Int { unanswered.count }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isHTTP10 = head.version.major == 1 && head.version.minor == 0
        let keepsAlive = !isHTTP10 && head.isKeepAlive
        unanswered.append(Request(isHTTP10: isHTTP10, keepsAlive: keepsAlive))
        guard !keepsAlive else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200,
            let answered = unanswered.popFirst(), !answered.keepsAlive
        else { return context.write(data, promise: promise) }
        if answered.isHTTP10 { head.version = .http1_0 }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
