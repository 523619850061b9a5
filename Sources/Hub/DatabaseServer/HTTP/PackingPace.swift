internal import Synchronization

/// How quickly the pieces of large answers are packed: it is done by the event loops, which serve nobody else while
/// pieces wait for them, and readers who take nothing don't slow it down.
final class PackingPace: Sendable {
    private let underWay = Atomic(0)

    /// What is packed at most in a millisecond, over all answers: one piece.
    private static let pause = Duration.milliseconds(1)

    func begin() { underWay.add(1, ordering: .relaxed) }

    func end() { underWay.subtract(1, ordering: .relaxed) }

    /// Waits until one more piece of an answer may be packed.
    func wait() async throws { try await Task.sleep(for: PackingPace.pause * underWay.load(ordering: .relaxed)) }
}
