import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPListening

/// When the head of a request has to be there, by a clock that the test drives.
struct HeadDeadlineTests {
    private let channel = EmbeddedChannel()

    init() throws {
        let manners = ConnectionManners(
            tls: nil, compresses: false, bodyRate: BodyRate(), headTime: .seconds(60), sockets: nil, unread: .none)
        try channel.pipeline.syncOperations.addHandlers(
            HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), HandlersOnDemand(manners))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    /// Answers the oldest request.
    private func answer() throws {
        try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok)))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// The first line of each answer that has gone out.
    private func answers() throws -> [String] {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/") }.map(String.init)
    }

    private func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    static let whole = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
    static let late = "HTTP/1.1 408 Request Timeout"

    @Test(arguments: [("GET /a HTTP/1.1\r\nHost: loc", [late]), ("", [])])
    func `a head that does not come ends its connection`(_ text: String, _ said: [String]) throws {
        if !text.isEmpty { try send(text) }
        pass(.seconds(59))
        #expect(channel.isActive)
        pass(.seconds(1))
        #expect(!channel.isActive)
        #expect(try answers() == said)
    }

    @Test func `more of a head is no new time for it`() throws {
        for character in Self.whole.prefix(12) {
            #expect(channel.isActive)
            try send(String(character))
            pass(.seconds(5))
        }
        #expect(try answers() == [Self.late])
    }

    @Test func `who is being answered is not asked for another head`() throws {
        try send(Self.whole)
        try send("GET /b")
        pass(.hours(1))
        #expect(try answers().isEmpty)
        #expect(channel.isActive)
        try answer()
        pass(.seconds(60))
        #expect(try answers() == ["HTTP/1.1 200 OK", Self.late])
        #expect(!channel.isActive)
    }

    @Test func `who has been answered may be silent`() throws {
        try send(Self.whole)
        try answer()
        pass(.hours(1))
        #expect(channel.isActive)
    }
}
