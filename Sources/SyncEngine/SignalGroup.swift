internal import Synchronization

/// Those who wait for progress: all are notified of each.
///
/// By hand, as ``Signal`` is: what `share` of swift-async-algorithms gives can't be waited on for a limited time.
final class SignalGroup: Sendable {
    private struct State: Sendable {
        var next = 0
        var signals: [Int: Signal] = [:]
    }

    private let state = Mutex(State())

    func add(_ signal: Signal) -> Int {
        state.withLock { state in
            state.next += 1
            state.signals[state.next] = signal
            return state.next
        }
    }

    func remove(_ number: Int) { state.withLock { $0.signals[number] = nil } }

    /// Waits for `duration`, or until there is progress.
    ///
    /// - Parameter isOver: whether what is waited for has come already; asked when no progress is missed any more.
    func wait(for duration: Duration, unless isOver: () -> Bool = { false }) async {
        let signal = Signal()
        let number = add(signal)
        if !isOver() { await signal.wait(for: duration) }
        remove(number)
    }

    /// Who looks for something again and again: what happens while it looks ends the next wait at once.
    func watch() -> Watch { Watch(self) }

    final class Watch: Sendable {
        private let group: SignalGroup
        private let signal = Signal()
        private let number: Int

        fileprivate init(_ group: SignalGroup) {
            self.group = group
            number = group.add(signal)
        }

        deinit { group.remove(number) }

        /// Waits for `duration`, or until there is progress since the last wait.
        func wait(for duration: Duration) async { await signal.wait(for: duration) }
    }

    func notify() {
        for signal in state.withLock({ $0.signals.values.map(\.self) }) { signal.notify() }
    }
}
