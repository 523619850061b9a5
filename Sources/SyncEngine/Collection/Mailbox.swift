internal import SyncCore
internal import Synchronization

/// The inputs of a machine that it has not taken yet, in their order. For one reader.
final class Mailbox: Sendable {
    struct Letter: Sendable {
        var input: CollectionMachine.Input
        /// Told when the input has been taken, or never will be.
        var taken: AsyncStream<Void>.Continuation?
    }

    private struct State {
        var letters: [Letter] = []
        /// About how many records they concern.
        var size = 0
        var isClosed = false
    }

    /// Above this there is no room for more of what can wait.
    private static let room = 2000

    private let state = Mutex(State())
    /// Something may be there.
    let (arrivals, arrival) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Adds an input; without effect when the mailbox is closed.
    func add(_ input: CollectionMachine.Input) { add(Letter(input: input)) }

    /// Adds an input, and returns when it has been taken, or never will be.
    func addAndWait(_ input: CollectionMachine.Input) async {
        let (taken, continuation) = AsyncStream<Void>.makeStream()
        add(Letter(input: input, taken: continuation))
        for await _ in taken {}
    }

    /// Adds an input, and returns when there is room for another one: at once, or as ``addAndWait(_:)``.
    func addAndWaitForRoom(_ input: CollectionMachine.Input) async {
        if state.withLock({ $0.size + input.size < Mailbox.room }) { add(input) } else { await addAndWait(input) }
    }

    private func add(_ letter: Letter) {
        let isClosed = state.withLock { state in
            if !state.isClosed {
                state.letters.append(letter)
                state.size += letter.input.size
            }
            return state.isClosed
        }
        if isClosed { letter.taken?.finish() } else { arrival.yield() }
    }

    /// What is there, at most `limit`.
    func take(limit: Int) -> [Letter] {
        state.withLock { state in
            let taken = Array(state.letters.prefix(limit))
            state.letters.removeFirst(taken.count)
            for letter in taken { state.size -= letter.input.size }
            return taken
        }
    }

    /// Takes nothing more, and lets nobody wait.
    func close() {
        let letters = state.withLock { state in
            defer { state.letters = [] }
            state.isClosed = true
            return state.letters
        }
        for letter in letters { letter.taken?.finish() }
        arrival.finish()
    }
}
