internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression

/// Answers in gzip where they are long and the client asks for it.
enum AnswerCoding {
    /// A shorter answer is not worth it.
    private static let minLength = 1024

    /// The handlers, to stand between those of HTTP and those who answer. They have to see each request before its answer.
    static func handlers() -> [any RemovableChannelHandler] {
        let compressor = HTTPResponseCompressor { head, isSupported in
            isSupported && isWorthIt(head) ? .compressIfPossible : .doNotCompress
        }
        return [compressor, UnaskedAnswerHandler()]
    }

    /// Leaves of what a client accepts only gzip, and nothing where there is no body to be packed.
    ///
    /// - Parameter canPack: whether answers can be packed; asked only where the client takes that.
    /// - Returns: whether `head` was changed.
    static func narrow(_ head: inout HTTPRequestHead, canPack: () -> Bool) -> Bool {
        guard head.headers.contains(name: "Accept-Encoding") else { return false }
        let takesGzip = takesGzip(head.headers[canonicalForm: "Accept-Encoding"])
        head.headers.remove(name: "Accept-Encoding")
        if takesGzip, head.method != .HEAD, canPack() { head.headers.add(name: "Accept-Encoding", value: "gzip") }
        return true
    }

    /// Says of an answer that is packed for some that it is, also to the others (RFC 9110, section 12.5.5).
    ///
    /// - Returns: whether `head` was changed.
    static func noteChoice(_ head: inout HTTPResponseHead) -> Bool {
        guard head.headers.contains(name: "Content-Encoding") || isWorthIt(head) else { return false }
        head.headers.add(name: "Vary", value: "Accept-Encoding")
        return true
    }

    /// An answer is that shows what is stored, also where a condition does not hold (412).
    ///
    /// An event stream is not: each of its frames has to leave at once, and a reader may look at any moment.
    private static func isWorthIt(_ head: HTTPResponseHead) -> Bool {
        guard head.headers.first(name: "Content-Length").flatMap({ Int($0) }) ?? minLength >= minLength,
            head.status.code < 300 || head.status == .preconditionFailed,
            let type = head.headers.first(name: "Content-Type")
        else { return false }
        return !type.hasPrefix("text/event-stream")
    }

    /// Whether a value of `Accept-Encoding` takes gzip.
    private static func takesGzip(_ codings: [Substring]) -> Bool {
        var any: Bool?
        for coding in codings {
            let parts = coding.split(separator: ";").map { part in part.filter { $0 != " " }.lowercased() }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case "gzip"?, "x-gzip"?: return weight > 0
            case "*"?: any = weight > 0
            default: continue
            }
        }
        return any ?? false
    }
}

/// Leads past the compressor what answers no request: it counts on one answer for each.
private final class UnaskedAnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var unanswered = 0
    private var isUnasked = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unanswered += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var isInformational = false
        if case .head(let head) = unwrapOutboundIn(data) {
            isInformational = head.status.code < 200
            if !isInformational {
                isUnasked = unanswered == 0
                if !isUnasked { unanswered -= 1 }
            }
        }
        guard isUnasked || isInformational,
            let compressor = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseCompressor.self)
        else { return context.write(data, promise: promise) }
        compressor.write(data, promise: promise)
    }
}
