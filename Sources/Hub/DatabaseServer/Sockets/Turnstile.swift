internal import Synchronization

/// Counts what is under way, lets in no more than so many, and lets one caller wait until all is done.
final class Turnstile: Sendable {
    private struct State: Sendable {
        var inside = 0
        var waiting: [(most: Int, caller: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let places: Int

    init(places: Int = 1000) { self.places = places }

    /// Counts one more, as soon as there is a place.
    func enter() async {
        await wait(most: places - 1)
        state.withLock { $0.inside += 1 }
    }

    func leave() {
        let callers = state.withLock { state in
            state.inside -= 1
            let ready = state.waiting.filter { state.inside <= $0.most }
            state.waiting.removeAll { state.inside <= $0.most }
            return ready.map(\.caller)
        }
        for caller in callers { caller.resume() }
    }

    /// Returns when nothing is inside.
    func empty() async { await wait(most: 0) }

    private func wait(most: Int) async {
        await withCheckedContinuation { caller in
            let isReady = state.withLock { state in
                guard state.inside > most else { return true }
                state.waiting.append((most, caller))
                return false
            }
            if isReady { caller.resume() }
        }
    }
}
