internal import NIOCore
internal import Synchronization

/// The frames that wait for one connection, joined as they are taken: a reader that is behind catches up in few writes.
///
/// Any number of writers; one reader, which iterates once.
final class FrameQueue: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private struct State {
        var waiting: [ByteBuffer] = []
        var reader: CheckedContinuation<ByteBuffer?, Never>?
        var isFinished = false
    }

    /// Frames are joined up to this many bytes; a larger one goes alone.
    private static let joinedSize = 256 * 1024

    private let state = Mutex(State())

    /// Adds `frame` at the end, and wakes the reader where it waits. Nothing happens after ``finish()``.
    func yield(_ frame: ByteBuffer) {
        let reader = state.withLock { state -> CheckedContinuation<ByteBuffer?, Never>? in
            guard !state.isFinished else { return nil }
            defer { state.reader = nil }
            if state.reader == nil { state.waiting.append(frame) }
            return state.reader
        }
        reader?.resume(returning: frame)
    }

    /// Lets the reader end once it has taken what waits.
    func finish() {
        let reader = state.withLock { state -> CheckedContinuation<ByteBuffer?, Never>? in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    func makeAsyncIterator() -> Iterator { Iterator(queue: self) }

    struct Iterator: AsyncIteratorProtocol {
        let queue: FrameQueue

        /// Some of what waits, in order; nil after the end, and where the task is cancelled.
        func next() async -> ByteBuffer? { await queue.next() }
    }

    private func next() async -> ByteBuffer? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let frame = state.withLock { state -> ByteBuffer?? in
                    if let frame = FrameQueue.joined(&state.waiting) { return .some(frame) }
                    if state.isFinished { return .some(nil) }
                    state.reader = reader
                    return nil
                }
                if let frame { reader.resume(returning: frame) }
            }
        } onCancel: {
            finish()
        }
    }

    private static func joined(_ waiting: inout [ByteBuffer]) -> ByteBuffer? {
        guard let first = waiting.first else { return nil }
        var size = first.readableBytes
        var count = 1
        while count < waiting.count, size + waiting[count].readableBytes <= joinedSize {
            size += waiting[count].readableBytes
            count += 1
        }
        defer { waiting.removeFirst(count) }
        guard count > 1 else { return first }
        var out = ByteBufferAllocator().buffer(capacity: size)
        for frame in waiting[..<count] { out.writeImmutableBuffer(frame) }
        return out
    }
}
