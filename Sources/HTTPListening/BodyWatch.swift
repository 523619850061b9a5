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
    private var lateness = TimeAmount.zero
    private var look: Scheduled<Void>?

    init(_ rate: BodyRate) { self.rate = rate }

    /// Calls `act` once what comes is too slow, unless ``end()`` comes before it. Does nothing while it is under way.
    func begin(_ context: ChannelHandlerContext, _ act: @escaping () -> Void) {
        guard look == nil else { return }
        lateness = .zero
        schedule(context, act)
    }

    /// So many bytes of it have come.
    func take(_ count: Int) { bytes += count }

    /// All of it is there, or nobody waits for it any longer.
    func end() {
        look?.cancel()
        look = nil
    }

    private func schedule(_ context: ChannelHandlerContext, _ act: @escaping () -> Void) {
        bytes = 0
        look = context.eventLoop.assumeIsolated().scheduleTask(in: rate.interval) { [self] in
            look = nil
            guard isWanted else { return schedule(context, act) }
            lateness = rate.lateness(after: bytes, from: lateness)
            guard bytes < rate.minBytes || lateness > rate.patience else { return schedule(context, act) }
            act()
        }
    }
}
