internal import NIOCore
internal import NIOHTTP1

/// What a server says where no request can be read, so that nobody is there to answer it: it is malformed, or comes too
/// slowly.
package struct UnreadAnswer: Sendable {
    let type: String
    private let body: @Sendable (_ status: UInt) -> [UInt8]

    /// - Parameters:
    ///   - type: the media type of what is said.
    ///   - body: what is said with a status, 400 or 408; nothing where it is empty.
    package init(type: String, body: @escaping @Sendable (_ status: UInt) -> [UInt8]) {
        self.type = type
        self.body = body
    }

    /// The status alone.
    package static let none = UnreadAnswer(type: "") { _ in [] }

    /// Puts into `head` what goes with the words for its status; nil where there are none.
    func words(_ head: inout HTTPResponseHead) -> ByteBuffer? {
        let text = body(head.status.code)
        guard !text.isEmpty else { return nil }
        head.headers.replaceOrAdd(name: "Content-Length", value: String(text.count))
        head.headers.replaceOrAdd(name: "Content-Type", value: type)
        return ByteBuffer(bytes: text)
    }
}

extension ChannelHandlerContext {
    /// Says that a request came too slowly, from a handler between NIO's HTTP handlers and the server's.
    func writeRequestTimeout(_ unread: UnreadAnswer) {
        var head = HTTPResponseHead(
            version: .http1_1, status: .requestTimeout, headers: ["Connection": "close", "Content-Length": "0"])
        let words = unread.words(&head)
        write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        if let words { write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(words))), promise: nil) }
        writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
    }
}
