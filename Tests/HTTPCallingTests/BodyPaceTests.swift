import AsyncHTTPClient
import HTTPCalling
import NIOCore
import Testing

struct BodyPaceTests {
    private let start = ContinuousClock.now

    @Test func `a body that trickles is cut off, and a large one may take long`() throws {
        var trickling = BodyPace(.seconds(30), now: start)
        for second in 0..<30 { try trickling.took(1, now: start + .seconds(second)) }
        #expect(throws: HTTPClientError.deadlineExceeded) { try trickling.took(1, now: start + .seconds(31)) }
        var large = BodyPace(.seconds(30), now: start)
        for second in 0..<600 { try large.took(1000, now: start + .seconds(second)) }
    }

    @Test func `a body is put together, up to its limit`() async throws {
        let (pieces, stream) = AsyncStream<ByteBuffer>.makeStream()
        for piece in ["one ", "two ", "three"] { stream.yield(ByteBuffer(string: piece)) }
        stream.finish()
        let whole = try await HTTPClientResponse.Body.stream(pieces).collect(upTo: 13, within: .seconds(30))
        #expect(String(buffer: whole) == "one two three")
        await #expect(throws: NIOTooManyBytesError.self) {
            try await HTTPClientResponse.Body.bytes(ByteBuffer(string: "four")).collect(upTo: 3, within: .seconds(30))
        }
    }
}
