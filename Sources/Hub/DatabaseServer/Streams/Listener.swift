internal import FirebaseWire
internal import Logging
internal import NIOCore
internal import Synchronization

/// One who listens to one subscription.
protocol Listening: AnyObject, Sendable {
    var id: Int { get }
    /// Who it is, now.
    var principal: Principal { get }

    /// - Parameter frames: one or several, as the subscription's wire has them. Nobody who offers waits.
    func offer(_ frames: ByteBuffer)
    /// The right to read is gone; nothing that is offered later counts.
    func revoke()
}

/// One open event stream: frames wait here until its connection takes them.
///
/// Whoever offers never waits. A reader that is further behind than the limit is cut: its connection closes, and the
/// client, which connects again, starts with a new snapshot.
final class Listener: Listening {
    let id: Int
    let principal: Principal
    let frames = FrameQueue()
    private let pendingBytes = Atomic<Int>(0)
    private let isCut = Atomic<Bool>(false)
    private let limit: Int
    private let channel: any Channel
    private let logger: Logger

    init(id: Int, principal: Principal, limit: Int, channel: any Channel, logger: Logger) {
        self.id = id
        self.principal = principal
        self.limit = limit
        self.channel = channel
        self.logger = logger
    }

    func offer(_ frame: ByteBuffer) {
        let (before, after) = pendingBytes.add(frame.readableBytes, ordering: .relaxed)
        guard before > 0, after > limit else {
            frames.yield(frame)
            return
        }
        guard !isCut.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            "An event stream was cut because its reader is too slow",
            metadata: ["event": "stream.listener.cut", "listener": "\(id)", "bytes": "\(after)"]
        )
        close()
    }

    /// `frame` went out.
    func sent(_ frame: ByteBuffer) { pendingBytes.subtract(frame.readableBytes, ordering: .relaxed) }

    /// Lets what waits go out, then `frame` as the last one; whatever is offered later is dropped.
    func finish(_ frame: [UInt8]) {
        frames.yield(ByteBuffer(bytes: frame))
        frames.finish()
    }

    func revoke() { finish(EventFrame.notice(.cancel)) }

    /// Closes the connection at once; frames that wait are lost.
    func close() {
        frames.finish()
        channel.close(mode: .all, promise: nil)
    }
}
