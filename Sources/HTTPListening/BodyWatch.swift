internal import NIOCore

/// Looks again and again whether a body that is open, or a message in pieces, comes quickly enough. To be used on one
/// event loop only.
///
/// Only the time counts in which the server is willing to read.
final class BodyWatch {
    /// Whether the server is willing to read.
    var isWanted = false

    private let rate: BodyRate
    /// What has come since the look before.
    private var bytes = 0
    /// What had come at each look.
    private var counts: [Int] = []
    private var lateness = TimeAmount.zero
    private var look: Scheduled<Void>?

    init(_ rate: BodyRate) { self.rate = rate }

    /// Calls `act` once what comes is too slow, unless ``end()`` comes before it. Does nothing while it is under way.
    func begin(_ context: ChannelHandlerContext, _ act: @escaping () -> Void) {
        guard look == nil else { return }
        (lateness, counts) = (.zero, [])
        schedule(context, act)
    }

    /// So many bytes of it have come.
    func take(_ count: Int) { bytes += count }

    /// All of it is there, or nobody waits for it any longer.
    func end() {
        look?.cancel()
        look = nil
    }

    /// How many times it is looked within an interval: what comes in a burst buys its sender no whole one more.
    private static let looks = 4

    private func schedule(_ context: ChannelHandlerContext, _ act: @escaping () -> Void) {
        let pause = TimeAmount.nanoseconds(rate.interval.nanoseconds / Int64(BodyWatch.looks))
        bytes = 0
        look = context.eventLoop.assumeIsolated().scheduleTask(in: pause) { [self] in
            look = nil
            if isTooSlow { act() } else { schedule(context, act) }
        }
    }

    private var isTooSlow: Bool {
        guard isWanted else {
            counts = []
            return false
        }
        counts.append(bytes)
        guard counts.count >= BodyWatch.looks else { return false }
        let recent = counts.suffix(BodyWatch.looks).reduce(0, +)
        if counts.count == 2 * BodyWatch.looks { counts.removeFirst(BodyWatch.looks) }
        if counts.count == BodyWatch.looks { lateness = rate.lateness(after: recent, from: lateness) }
        return recent < rate.minBytes || lateness > rate.patience
    }
}
