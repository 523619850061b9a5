internal import SyncModel
internal import Synchronization

/// The requests of a collection that are not answered yet, and since when.
final class Unanswered: Sendable {
    /// By their numbers, milliseconds on the monotonic clock.
    private let requests = Mutex<[Int: UInt64]>([:])

    /// In milliseconds: for so long nobody calls it silence.
    private static let usual: UInt64 = 2_000

    func sent(_ request: Int, at now: UInt64) { requests.withLock { $0[request] = now } }

    func answered(_ request: Int) { requests.withLock { $0[request] = nil } }

    /// That the remote keeps somebody waiting; nil while it does not.
    func silence(at now: UInt64) -> String? {
        guard let oldest = requests.withLock({ $0.values.min() }), now >= oldest + Unanswered.usual else { return nil }
        return "the remote has not answered a request for \(Span(milliseconds: now - oldest))"
    }
}
