internal import Synchronization
package import Testing

/// Lets a test begin when it is its turn, so that no more run at the same time than a small machine can bear, and when what
/// is to be done is done soon: a run begins with thousands of tests that wait for nothing, and keep the threads busy for
/// minutes.
///
/// Whatever waits for something within a time limit takes turns. The time limit of a test counts from its turn on.
package struct Turn: SuiteTrait, TestTrait, TestScoping {
    /// How many tests run at the same time.
    private static let queue = TurnQueue(places: 4)

    fileprivate let isAlone: Bool

    package var isRecursive: Bool { true }

    /// Round a test with all its cases; round one case it would be within the time limit.
    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Turn? {
        test.isSuite || testCase != nil ? nil : self
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let places = isAlone ? Turn.queue.places : 1
        await Turn.queue.take(places)
        defer { Turn.queue.giveBack(places) }
        await Turn.untilPrompt()
        try await function()
    }

    /// Returns when whoever is to go on does so soon; at the latest after some minutes.
    private static func untilPrompt() async {
        for _ in 0..<500 {
            let asked = ContinuousClock.now
            // Behind all that is to be done now.
            await Task.yield()
            if asked.duration(to: .now) < .milliseconds(250) { return }
        }
    }
}

extension Trait where Self == Turn {
    /// Begins when it is its turn.
    package static var inTurn: Turn { Turn(isAlone: false) }

    /// Begins when no other test that takes turns runs, and none begins meanwhile.
    package static var alone: Turn { Turn(isAlone: true) }
}

/// Places for those that came first.
private final class TurnQueue: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting: [(places: Int, turn: CheckedContinuation<Void, Never>)] = []
    }

    let places: Int
    private let state: Mutex<State>

    init(places: Int) {
        self.places = places
        state = Mutex(State(free: places))
    }

    /// Waits until so many places are free and all who came before have theirs.
    func take(_ count: Int) async {
        await withCheckedContinuation { turn in
            state.withLock { $0.waiting.append((count, turn)) }
            admit()
        }
    }

    func giveBack(_ count: Int) {
        state.withLock { $0.free += count }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            var admitted: [CheckedContinuation<Void, Never>] = []
            while let first = state.waiting.first, first.places <= state.free {
                state.free -= first.places
                admitted.append(state.waiting.removeFirst().turn)
            }
            return admitted
        }
        for turn in admitted { turn.resume() }
    }
}
