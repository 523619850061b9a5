import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPListening

/// How long a connection stays after its last answer, by a clock that the test drives.
struct LastAnswerTests {
    private let channel = EmbeddedChannel()

    /// The answer's end of the connection is closed; the other one stays as it is.
    private final class HalfClosing: ChannelOutboundHandler {
        typealias OutboundIn = Never

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            promise?.succeed()
        }
    }

    init() throws {
        let manners = ConnectionManners(
            tls: nil, compresses: false, bodyRate: BodyRate(), headTime: .seconds(60), sockets: nil, unread: .none)
        try channel.pipeline.syncOperations.addHandlers(
            HalfClosing(), HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), HandlersOnDemand(manners))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try send("PUT /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
        channel.pipeline.close(mode: .output, promise: nil)
    }

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    private func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    @Test func `who is still sending is let finish, and then sees the answer`() throws {
        for _ in 0..<20 {
            try send("ten bytes.")
            pass(.seconds(1))
            #expect(channel.isActive)
        }
        pass(.seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `but not for ever`() throws {
        for _ in 0..<62 where channel.isActive {
            try send("ten bytes.")
            pass(.seconds(1))
        }
        #expect(!channel.isActive)
    }

    @Test func `who sends nothing more is left soon`() {
        pass(.seconds(1))
        #expect(channel.isActive)
        pass(.seconds(1))
        #expect(!channel.isActive)
    }
}
