internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// How the remote answers: one back-off for all that talks to it.
final class RemoteHealth: Sendable {
    private struct State: Sendable {
        var backoff = Backoff()
        var retryAt: ContinuousClock.Instant?
        var succeeded = false
        /// How many writes have succeeded.
        var writes = 0
        /// The versions that were denied, and how many writes had succeeded then.
        var denials: [RecordKey: Denial] = [:]
    }

    private struct Denial: Sendable {
        let stamp: Stamp?
        let writes: Int
    }

    private let state = Mutex(State())

    /// How long to wait before the next request; nil when there is nothing to wait for.
    var wait: Duration? {
        state.withLock { state in
            guard let retryAt = state.retryAt else { return nil }
            let wait = ContinuousClock.now.duration(to: retryAt)
            return wait > .zero ? wait : nil
        }
    }

    /// Whether any write succeeded with the present credential.
    var hasSucceeded: Bool { state.withLock { $0.succeeded } }

    /// Notes that a version was denied. Returns whether it is this record that the remote does not take, rather than
    /// everything: another write has succeeded since the same version was denied before.
    func denied(_ key: RecordKey, _ stamp: Stamp?) -> Bool {
        state.withLock { state in
            if let before = state.denials[key], before.stamp == stamp {
                guard state.writes > before.writes else { return false }
                state.denials[key] = nil
                return true
            }
            state.denials[key] = Denial(stamp: stamp, writes: state.writes)
            return false
        }
    }

    func failed(retryAfter: Duration?) -> Duration {
        state.withLock { state in
            if let retryAt = state.retryAt, retryAt > .now { return ContinuousClock.now.duration(to: retryAt) }
            let wait = state.backoff.failed(retryAfter: retryAfter, random: .random(in: 0...1))
            state.retryAt = .now + wait
            return wait
        }
    }

    func succeeded(writing: Bool = false) {
        state.withLock { state in
            state.backoff.succeeded()
            state.retryAt = nil
            guard writing else { return }
            state.succeeded = true
            state.writes += 1
        }
    }

    /// Lets the next request go at once.
    func retryNow() { state.withLock { $0.retryAt = nil } }
}
