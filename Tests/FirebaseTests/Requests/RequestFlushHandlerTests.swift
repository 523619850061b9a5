import NIOCore
import NIOEmbedded
import Testing

@testable import Firebase

struct RequestFlushHandlerTests {
    private let channel = EmbeddedChannel(handler: RequestFlushHandler())

    private func send(_ text: String) {
        channel.writeAndFlush(IOData.byteBuffer(ByteBuffer(string: text)), promise: nil)
    }

    private func sent() throws -> [String] {
        var texts: [String] = []
        while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) {
            texts.append(String(buffer: bytes))
        }
        return texts
    }

    @Test func `head and body of a request go out together, and the next request by itself`() throws {
        send("head")
        #expect(try sent() == [])
        send("body")
        #expect(try sent() == [])
        channel.embeddedEventLoop.run()
        #expect(try sent() == ["head", "body"])
        send("next")
        channel.embeddedEventLoop.run()
        #expect(try sent() == ["next"])
    }

    @Test func `a connection that is closed sends first what it was given`() throws {
        send("all")
        channel.close(promise: nil)
        #expect(try sent() == ["all"])
    }
}
