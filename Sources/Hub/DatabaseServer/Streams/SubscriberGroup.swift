internal import NIOCore

/// All that listen to the same thing.
///
/// Each delivery costs about the same however long it is. So a large room gets no more of them than leave time for other
/// work: what happens shortly after one is gathered for the next.
struct SubscriberGroup: Sendable {
    var listeners: [Int: Listener] = [:]
    /// What a query with a limit selects now; nil until a change makes it necessary to know.
    var window: QueryWindow?
    private var frames = ByteBuffer()
    private var lastDelivery: ContinuousClock.Instant?
    private var isAwaited = false

    private static let timeForOne = Duration.microseconds(50)
    /// A shorter pause is not worth its timer.
    private static let shortestPause = Duration.milliseconds(2)
    /// So many bytes wait for nothing.
    private static let maxGathered = 1024 * 1024

    /// Adds a frame for all.
    mutating func gather(_ frame: [UInt8]) { frames.writeBytes(frame) }

    /// Delivers what was gathered, if the last delivery is long enough ago.
    ///
    /// - Returns: after which time ``deliver(_:)`` is to be called; nil where it needs not be, or was asked for before.
    mutating func deliverWhenDue(_ now: ContinuousClock.Instant) -> Duration? {
        let pause = SubscriberGroup.timeForOne * listeners.count
        if pause > SubscriberGroup.shortestPause, frames.readableBytes < SubscriberGroup.maxGathered,
            let rest = lastDelivery.map({ pause - (now - $0) }), rest > .zero
        {
            defer { isAwaited = true }
            return isAwaited ? nil : rest
        }
        deliver(now)
        return nil
    }

    /// Delivers what was gathered.
    mutating func deliver(_ now: ContinuousClock.Instant) {
        isAwaited = false
        guard frames.readableBytes > 0 else { return }
        for listener in listeners.values { listener.offer(frames) }
        frames = ByteBuffer()
        lastDelivery = now
    }
}
