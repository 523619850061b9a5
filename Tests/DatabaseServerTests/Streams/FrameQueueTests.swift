import NIOCore
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct FrameQueueTests {
    @Test func `what waits is taken in order, joined, and then the end comes`() async {
        let queue = FrameQueue()
        for number in 0..<10 { queue.yield(ByteBuffer(string: "\(number)")) }
        queue.finish()
        queue.yield(ByteBuffer(string: "too late"))
        var taken: [String] = []
        for await frame in queue { taken.append(String(buffer: frame)) }
        #expect(taken == ["0123456789"])
    }

    @Test func `a large frame goes alone`() async {
        let queue = FrameQueue()
        let large = String(repeating: "x", count: 300_000)
        for text in ["a", "b", large, "c"] { queue.yield(ByteBuffer(string: text)) }
        queue.finish()
        var taken: [String] = []
        for await frame in queue { taken.append(String(buffer: frame)) }
        #expect(taken == ["ab", large, "c"])
    }

    @Test func `a reader that waits gets each frame, and ends when it is cancelled`() async {
        let queue = FrameQueue()
        let (heard, hears) = AsyncStream<String>.makeStream()
        async let reading: Void = {
            for await frame in queue { hears.yield(String(buffer: frame)) }
            hears.finish()
        }()
        var texts = heard.makeAsyncIterator()
        for text in ["a", "b"] {
            queue.yield(ByteBuffer(string: text))
            #expect(await texts.next() == text)
        }
        queue.finish()
        await reading
        let cancelled = await withTaskGroup(of: Bool.self) { group in
            let other = FrameQueue()
            group.addTask {
                for await _ in other {}
                return true
            }
            group.cancelAll()
            return await group.next()
        }
        #expect(cancelled == true)
    }
}
