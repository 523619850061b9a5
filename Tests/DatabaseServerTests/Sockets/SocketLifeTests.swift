import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import HTTPListening

/// Whoever says nothing for long is asked whether it lives, and is gone where it does not answer.
struct SocketLifeTests {
    private let channel = EmbeddedChannel()
    private let manners = SocketManners(maxMessage: 1 << 20)

    init() throws {
        try channel.pipeline.syncOperations.addHandler(SocketHandler(manners, BodyRate(), farewell: nil))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func say() throws {
        let data = ByteBuffer(string: "0")
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .text, maskKey: [0, 0, 0, 0], data: data))
    }

    @Test(arguments: [true, false])
    func `only who is read is expected to say something`(isRead: Bool) throws {
        try say()
        // Behind with its answers, it is not read.
        if isRead { channel.read() }
        for _ in 0..<3 { channel.embeddedEventLoop.advanceTime(by: manners.quiet) }
        #expect(channel.isActive == !isRead)
        guard !isRead else { return }
        channel.read()
        for _ in 0..<3 { channel.embeddedEventLoop.advanceTime(by: manners.quiet) }
        #expect(!channel.isActive)
    }
}
