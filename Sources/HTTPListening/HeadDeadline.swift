internal import NIOCore

/// When the head of a request must be there. To be used on one event loop only.
final class HeadDeadline {
    private let time: TimeAmount
    private var end: Scheduled<Void>?

    init(_ time: TimeAmount) { self.time = time }

    /// Calls `act` after the time, unless ``meet()`` comes before it. Does nothing while it is under way.
    func begin(_ context: ChannelHandlerContext, _ act: @escaping () -> Void) {
        guard end == nil else { return }
        end = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.end = nil
            act()
        }
    }

    /// The head is there, or nobody waits for it any longer.
    func meet() {
        end?.cancel()
        end = nil
    }
}
