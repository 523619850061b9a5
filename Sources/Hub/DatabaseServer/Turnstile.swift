internal import Synchronization

/// Counts what is under way, lets in no more than so many, in the order they came, and lets callers wait until all that
/// came before them is done.
final class Turnstile: Sendable {
    private struct State: Sendable {
        var inside = 0
        var waiting: [(isEntering: Bool, caller: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let places: Int

    init(places: Int = 1000) { self.places = places }

    /// Counts one more, as soon as there is a place.
    func enter() async { await wait(isEntering: true) }

    func leave() {
        let callers = state.withLock { state in
            state.inside -= 1
            var count = 0
            while count < state.waiting.count, admits(state.waiting[count].isEntering, &state) { count += 1 }
            defer { state.waiting.removeFirst(count) }
            return state.waiting[..<count].map(\.caller)
        }
        for caller in callers { caller.resume() }
    }

    /// Returns when nothing is inside.
    func empty() async { await wait(isEntering: false) }

    private func wait(isEntering: Bool) async {
        await withCheckedContinuation { caller in
            let isReady = state.withLock { state in
                guard !state.waiting.isEmpty || !admits(isEntering, &state) else { return true }
                state.waiting.append((isEntering, caller))
                return false
            }
            if isReady { caller.resume() }
        }
    }

    /// Whether the next one may go on; then who enters is counted.
    private func admits(_ isEntering: Bool, _ state: inout State) -> Bool {
        guard isEntering else { return state.inside == 0 }
        guard state.inside < places else { return false }
        state.inside += 1
        return true
    }
}
