internal import NIOCore

/// One place that a session listens to.
final class SocketListener: Listening {
    let id: Int
    let subscription: Subscription
    private let end: [UInt8]
    /// By which the session knows it.
    private let number: Int
    private let session: SocketSession

    init(_ id: Int, _ subscription: Subscription, tag: Int?, _ number: Int, _ session: SocketSession) {
        self.id = id
        self.subscription = subscription
        end = SocketEvents.end(tag: tag)
        self.number = number
        self.session = session
    }

    var principal: Principal { session.principal }

    func offer(_ frames: ByteBuffer) {
        var out = ByteBuffer()
        SocketEvents.forEach(in: frames) { event in
            SocketPieces.append(Array(event.readableBytesView) + end, to: &out)
        }
        session.whileListening(number, id) { session.outbox.add(frames: out) }
    }

    func revoke() { session.revoke(number) }
}
