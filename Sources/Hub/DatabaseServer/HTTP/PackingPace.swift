internal import NIOCore
internal import Synchronization

/// How quickly the pieces of large answers are packed: it is done by the event loops, which serve nobody else while
/// pieces wait for them, and readers who take nothing don't slow it down.
final class PackingPace: Sendable {
    private let underWay = Atomic(0)

    /// What is packed at most in a millisecond, over all answers: one piece.
    private static let pause = Duration.milliseconds(1)
    /// How long pieces of answers keep an event loop busy at most: what lasts longer is something else, as a machine that
    /// stood still.
    private static let mostBusy = Duration.milliseconds(50)

    func begin() { underWay.add(1, ordering: .relaxed) }

    func end() { underWay.subtract(1, ordering: .relaxed) }

    /// Waits until one more piece of an answer may be packed by `loop`.
    func wait(for loop: any EventLoop) async throws {
        let began = ContinuousClock.now
        // Behind the last piece, and what else waits for the loop.
        try await loop.catchUp()
        try await Task.sleep(for: pause(after: ContinuousClock.now - began))
    }

    /// How long an answer waits whose event loop was `busy` for so long.
    ///
    /// What packs badly takes more than a millisecond. So each answer leaves to every other one as much time as it has seen
    /// taken: then about one piece waits at a time.
    func pause(after busy: Duration) -> Duration {
        let count = underWay.load(ordering: .relaxed)
        return max(PackingPace.pause * count, min(busy, PackingPace.mostBusy) * (count - 1))
    }
}

extension EventLoop {
    /// Returns when the loop has done all that waits for it now. Only then does a writer know whether its connection takes
    /// more: while a loop has much to do, pieces of whole answers would pile up before it, however slow their readers are.
    func catchUp() async throws { try await submit {}.get() }
}
