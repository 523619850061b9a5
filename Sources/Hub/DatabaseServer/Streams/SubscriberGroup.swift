internal import NIOCore

/// All listeners of one subscription.
///
/// Each delivery costs about the same however long it is. So a large group gets no more of them than leave time for other
/// work: what happens shortly after one is buffered for the next.
struct SubscriberGroup: Sendable {
    var listeners: [Int: any Listening] = [:]
    /// What a query with a limit selects now; nil until a change makes it necessary to know.
    var window: QueryWindow?
    private var frames = ByteBuffer()
    private var lastDelivery: ContinuousClock.Instant?
    private var isScheduled = false
    /// How many of the buffered bytes a listener has got before its time.
    private var ahead: [Int: Int] = [:]

    private static let costPerListener = Duration.microseconds(50)
    /// A shorter pause is not worth its timer.
    private static let minPause = Duration.milliseconds(2)
    /// More bytes than this are delivered at once.
    private static let maxBuffered = 1024 * 1024

    /// Buffers a frame for all.
    mutating func append(_ frame: [UInt8]) { frames.writeBytes(frame) }

    /// Delivers what is buffered, if the last delivery is long enough ago.
    ///
    /// - Returns: after which time ``deliver(_:)`` is to be called; nil where it needs not be, or was asked for before.
    mutating func deliverWhenDue(_ now: ContinuousClock.Instant) -> Duration? {
        let pause = SubscriberGroup.costPerListener * listeners.count
        if pause > SubscriberGroup.minPause, frames.readableBytes < SubscriberGroup.maxBuffered,
            let rest = lastDelivery.map({ pause - (now - $0) }), rest > .zero
        {
            defer { isScheduled = true }
            return isScheduled ? nil : rest
        }
        deliver(now)
        return nil
    }

    /// Delivers what is buffered.
    mutating func deliver(_ now: ContinuousClock.Instant) {
        isScheduled = false
        guard frames.readableBytes > 0 else { return }
        for listener in listeners.values { offer(listener) }
        frames = ByteBuffer()
        ahead = [:]
        lastDelivery = now
    }

    /// Whether something waits to be delivered.
    var isBuffering: Bool { frames.readableBytes > 0 }

    /// Delivers what is buffered to one listener alone.
    mutating func deliver(to id: Int) {
        guard isBuffering, let listener = listeners[id] else { return }
        offer(listener)
        ahead[id] = frames.readableBytes
    }

    private func offer(_ listener: any Listening) {
        guard let known = ahead[listener.id] else { return listener.offer(frames) }
        let rest = frames.getSlice(at: frames.readerIndex + known, length: frames.readableBytes - known)
        if let rest, rest.readableBytes > 0 { listener.offer(rest) }
    }
}
