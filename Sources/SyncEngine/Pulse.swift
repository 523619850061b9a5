internal import SyncModel
internal import Synchronization

/// Shows that a loop lives: it moves on, or waits for something that is not its own to do.
///
/// A loop that hangs, for a lock or for a disk that does not answer, does neither.
final class Pulse: Sendable {
    private let beats = SignalGroup()
    private let waits = Mutex(0)

    /// The loop has moved on.
    func beat() { beats.notify() }

    /// Runs `body`, which waits for a person, the network or a plugin: the loop counts as alive meanwhile.
    func waiting<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        waits.withLock { $0 += 1 }
        beat()
        defer { waits.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Returns as soon as the loop has shown that it lives, by a beat or by its answer; at once while it waits.
    func isFelt(orBy answer: @Sendable @escaping () async -> Void) async {
        let signal = Signal()
        let number = beats.add(signal)
        defer { beats.remove(number) }
        guard waits.withLock({ $0 == 0 }) else { return }
        await untilEitherEnds({ await signal.wait(for: nil) }, answer)
    }
}
