import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import HTTPListening

/// A message that comes in pieces has to come as quickly as a body, by a clock that the test drives.
struct SocketPaceTests {
    /// What makes a message one in pieces.
    enum Pieces: CaseIterable {
        /// The frames of the protocol.
        case fragments
        /// What the client has said, as whoever reads knows.
        case counted
    }

    /// One connection, which answers whoever looks for life.
    private struct Connection {
        let channel = EmbeddedChannel()
        let pieces: Pieces

        init(_ pieces: Pieces, rate: BodyRate = BodyRate()) throws {
            self.pieces = pieces
            let manners = SocketManners(maxMessage: 1 << 30)
            try channel.pipeline.syncOperations.addHandler(SocketHandler(manners, rate, farewell: nil))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func begin() throws {
            guard pieces == .fragments else { return channel.triggerUserOutboundEvent(SocketWait.more, promise: nil) }
            try send(.text, 0, isLast: false)
        }

        func more(_ bytes: Int) throws {
            try send(pieces == .fragments ? .continuation : .text, bytes, isLast: pieces == .counted)
        }

        func end() throws {
            guard pieces == .fragments else { return channel.triggerUserOutboundEvent(SocketWait.next, promise: nil) }
            try send(.continuation, 0, isLast: true)
        }

        func send(_ opcode: WebSocketOpcode, _ bytes: Int, isLast: Bool = true) throws {
            let data = ByteBuffer(repeating: UInt8(ascii: "x"), count: bytes)
            try channel.writeInbound(WebSocketFrame(fin: isLast, opcode: opcode, maskKey: [0, 0, 0, 0], data: data))
        }

        /// Lets time go by; the server is willing to read.
        func pass(_ time: TimeAmount) throws {
            channel.read()
            try send(.pong, 0)
            channel.read()
            channel.embeddedEventLoop.advanceTime(by: time)
        }

        /// What the server has said that it ends for.
        func reason() throws -> UInt16? {
            while var frame = try channel.readOutbound(as: ByteBuffer.self) {
                if frame.readInteger(as: UInt16.self) == 0x8802 { return frame.readInteger() }
            }
            return nil
        }
    }

    /// Bytes of each interval, and the interval that is the last one.
    static let paces = [(0, 1), (5_999, 1), (6_000, 2), (30 * 1024, 3), (60 * 1024, nil), (100_000, nil)]

    @Test(arguments: Pieces.allCases, paces)
    func `a message that comes too slowly ends its connection`(_ pieces: Pieces, _ pace: (Int, Int?)) throws {
        let connection = try Connection(pieces)
        try connection.begin()
        for interval in 1...20 {
            try connection.more(pace.0)
            try connection.pass(.seconds(60))
            let reason = try connection.reason()
            #expect(reason == (interval == pace.1 ? SocketEnd.tooSlow.code : nil))
            if reason != nil { break }
        }
    }

    @Test(arguments: Pieces.allCases, [1, 20])
    func `the rate is as it was set`(_ pieces: Pieces, _ bytes: Int) throws {
        let connection = try Connection(
            pieces, rate: BodyRate(interval: .seconds(1), minBytes: 2, usefulBytes: 10, patience: .seconds(3)))
        try connection.begin()
        for _ in 0..<10 {
            try connection.more(bytes)
            try connection.pass(.seconds(1))
        }
        #expect(try connection.reason() == (bytes == 1 ? SocketEnd.tooSlow.code : nil))
    }

    @Test(arguments: Pieces.allCases)
    func `who has sent the whole message may be silent, and is as early as ever with the next`(
        _ pieces: Pieces
    ) throws {
        let connection = try Connection(pieces)
        for _ in 0..<5 {
            try connection.begin()
            try connection.more(6_000)
            try connection.pass(.seconds(60))
            try connection.end()
            for _ in 0..<3 { try connection.pass(.seconds(60)) }
        }
        #expect(try connection.reason() == nil)
    }

    @Test(arguments: Pieces.allCases)
    func `the time does not count in which the server does not read`(_ pieces: Pieces) throws {
        let connection = try Connection(pieces)
        try connection.begin()
        try connection.pass(.seconds(1))
        for _ in 0..<5 {
            try connection.send(.pong, 0)
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        }
        #expect(try connection.reason() == nil)
        try connection.pass(.seconds(60))
        try connection.pass(.seconds(60))
        #expect(try connection.reason() == SocketEnd.tooSlow.code)
    }

    @Test func `a counted piece in fragments does not begin the time anew`() throws {
        let connection = try Connection(.counted)
        try connection.begin()
        for _ in 0..<2 {
            try connection.send(.text, 3_000, isLast: false)
            try connection.send(.continuation, 3_000)
            try connection.pass(.seconds(60))
        }
        #expect(try connection.reason() == SocketEnd.tooSlow.code)
    }

    @Test(arguments: [true, false])
    func `who says nothing is there as long as it takes what waits for it`(_ takes: Bool) throws {
        let channel = try Connection(.fragments).channel
        for isWritable in [false, true, false, true, false, true] {
            channel.isWritable = takes && isWritable
            channel.pipeline.fireChannelWritabilityChanged()
            channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        }
        #expect(channel.isActive == takes)
    }
}
