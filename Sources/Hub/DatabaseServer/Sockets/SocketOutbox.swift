internal import NIOCore
internal import Synchronization

/// What waits to go out over one WebSocket, in its order.
///
/// Whoever adds never waits. A reader that is further behind than the limit is cut. Readings are small but keep whole
/// trees as they were: who is to add one waits for ``room()``.
final class SocketOutbox: Sendable {
    enum Item: Sendable {
        /// Whole frames.
        case frames(ByteBuffer)
        /// What is read and written when its turn comes.
        case reading(SocketReading)
    }

    private struct State {
        var waiting: [Item] = []
        var bytes = 0
        /// How many readings have not gone out.
        var readings = 0
        var reader: CheckedContinuation<[Item]?, Never>?
        /// Who waits for room.
        var callers: [CheckedContinuation<Void, Never>] = []
        var isFinished = false

        var hasRoom: Bool { isFinished || readings < SocketOutbox.mostReadings }
    }

    /// So many readings wait at most.
    static let mostReadings = 100

    private let state = Mutex(State())
    private let limit: Int
    private let cut: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - limit: the most bytes that wait.
    ///   - cut: is called once, with the bytes that waited, where there were more.
    init(limit: Int, cut: @escaping @Sendable (Int) -> Void) {
        self.limit = limit
        self.cut = cut
    }

    /// Adds a message at the end. Nothing happens after ``finish()``.
    func send(_ text: [UInt8]) {
        var frames = ByteBuffer()
        SocketPieces.append(text, to: &frames)
        add(.frames(frames), bytes: frames.readableBytes)
    }

    /// Adds whole frames.
    func add(frames: ByteBuffer) { add(.frames(frames), bytes: frames.readableBytes) }

    func add(_ reading: SocketReading) { add(.reading(reading), bytes: reading.size) }

    private func add(_ item: Item, bytes: Int) {
        // The reader is woken outside: waking takes the runtime's lock of its task, which who cancels that task holds when
        // this lock is asked for.
        let (excess, reader, items) = state.withLock { state -> (Int?, CheckedContinuation<[Item]?, Never>?, [Item]) in
            guard !state.isFinished else { return (nil, nil, []) }
            let isBehind = state.bytes > 0
            state.bytes += bytes
            guard !isBehind || state.bytes <= limit else {
                state.isFinished = true
                return (state.bytes, nil, [])
            }
            state.waiting.append(item)
            if case .reading = item { state.readings += 1 }
            guard let reader = state.reader.take() else { return (nil, nil, []) }
            return (nil, reader, SocketOutbox.taken(&state))
        }
        reader?.resume(returning: items)
        if let excess {
            admit()
            cut(excess)
        }
    }

    /// Returns when there is room for another reading, and after the end.
    func room() async {
        await withCheckedContinuation { caller in
            let hasRoom = state.withLock { state in
                if !state.hasRoom { state.callers.append(caller) }
                return state.hasRoom
            }
            if hasRoom { caller.resume() }
        }
    }

    /// Lets those go on who wait for room, where there is some.
    private func admit() {
        let callers = state.withLock { state in
            guard state.hasRoom else { return [CheckedContinuation<Void, Never>]() }
            defer { state.callers = [] }
            return state.callers
        }
        for caller in callers { caller.resume() }
    }

    /// `bytes` went out.
    func sent(_ bytes: Int) { state.withLock { $0.bytes -= bytes } }

    /// A reading went out.
    func sent(_ reading: SocketReading) {
        state.withLock { state in
            state.bytes -= reading.size
            state.readings -= 1
        }
        admit()
    }

    /// Lets the reader end once it has taken what waits.
    func finish() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            state.isFinished = true
            return state.reader
        }
        reader?.resume(returning: nil)
        admit()
    }

    /// All that waits, in order; nil after the end, and where the task is cancelled.
    func next() async -> [Item]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let items = state.withLock { state -> [Item]?? in
                    if !state.waiting.isEmpty { return .some(SocketOutbox.taken(&state)) }
                    if state.isFinished { return .some(nil) }
                    state.reader = reader
                    return nil
                }
                if let items { reader.resume(returning: items) }
            }
        } onCancel: {
            finish()
        }
    }

    private static func taken(_ state: inout State) -> [Item] {
        defer { state.waiting = [] }
        return state.waiting
    }
}
