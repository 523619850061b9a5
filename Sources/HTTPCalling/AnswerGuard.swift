package import NIOCore
package import NIOHTTP1

/// Lets no answer through to the client that can't be one: the client takes each status below 200 for a word in between,
/// and ends the process where what follows then is no other head.
package final class AnswerGuard: ChannelInboundHandler {
    package typealias InboundIn = HTTPClientResponsePart
    package typealias InboundOut = HTTPClientResponsePart

    /// An answer has a status that there is not.
    package struct ImpossibleStatus: Error, Hashable, CustomStringConvertible {
        package var status: Int

        package init(status: Int) {
            self.status = status
        }

        package var description: String { "it answers with the status \(status), which there is not" }
    }

    private var hasFailed = false

    package init() {}

    /// Adds a guard to a connection of a client, behind what reads the bytes. On the connection's loop only.
    ///
    /// - Throws: where the connection does not speak HTTP/1.1.
    package static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(AnswerGuard(), position: .after(decoder))
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            hasFailed = true
            context.fireErrorCaught(ImpossibleStatus(status: Int(head.status.code)))
            return
        }
        context.fireChannelRead(data)
    }
}
