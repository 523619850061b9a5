internal import NIOCore
internal import NIOHTTP1

/// Decides whether a connection stays open after an answer, and answers old clients in words they know.
///
/// A client of HTTP/1.0 does not understand chunks, so an answer ends with its connection. What a client says in
/// `Connection` is turned into the one spelling that the server looks for.
final class ConnectionReuseHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Asked {
        var isOld: Bool
        var keepsOpen: Bool
    }

    /// The requests that have not been answered yet.
    private var asked = CircularBuffer<Asked>()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = head.version.major == 1 && head.version.minor == 0
        let keepsOpen = !isOld && head.isKeepAlive
        asked.append(Asked(isOld: isOld, keepsOpen: keepsOpen))
        guard !keepsOpen else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200,
            let answered = asked.popFirst(), !answered.keepsOpen
        else { return context.write(data, promise: promise) }
        if answered.isOld { head.version = .http1_0 }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
