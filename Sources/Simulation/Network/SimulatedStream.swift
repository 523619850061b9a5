internal import SyncModel

/// An event stream on its way to a node: what the database sends arrives later, in its order, in pieces.
final class SimulatedStream {
    /// How long a stream may be silent before its node takes it for dead, in milliseconds.
    static let silence: UInt64 = 80_000

    private let network: SimulatedNetwork
    private let keyspace: Keyspace
    private let receive: ([RemoteEvent]) -> Void
    private let end: (RemoteError) -> Void
    private var listener: SimulatedListener?
    private var lastArrival: UInt64 = 0
    private var isOver = false
    /// Nothing that is sent arrives any more.
    private var isSilent = false

    init(
        _ network: SimulatedNetwork, _ keyspace: Keyspace, receive: @escaping ([RemoteEvent]) -> Void,
        end: @escaping (RemoteError) -> Void
    ) {
        self.network = network
        self.keyspace = keyspace
        self.receive = receive
        self.end = end
    }

    func open(after cursor: UInt64?) {
        let now = network.timeline.now
        if network.weather.isAbout(.partition, at: now) {
            return network.timeline.after(200) { self.finish(RemoteError(.unreachable, "no connection")) }
        }
        for (fault, code) in SimulatedStream.refusals where network.weather.strikes(fault, at: now) {
            return network.timeline.after(50) { self.finish(RemoteError(code, fault.rawValue)) }
        }
        network.timeline.after(network.weather.latency(at: now)) { [self] in
            guard !isOver else { return }
            let listener = SimulatedListener(keyspace, after: cursor, network.sent) { [unowned self] in send($0) }
            self.listener = listener
            network.database.listeners.append(listener)
            listener.sendSnapshot(of: network.database)
        }
    }

    private static let refusals: [(Fault, RemoteError.Code)] = [
        (.unauthorized, .unauthorized), (.forbidden, .stopped), (.locked, .stopped), (.unavailable, .unavailable),
        (.tooMany, .unavailable),
    ]

    /// The node wants nothing more of it.
    func close() {
        isOver = true
        forgetListener()
    }

    /// Sends everything once more, or ends, as the fault says.
    func suffer(_ fault: Fault) {
        guard !isOver, let listener else { return }
        switch fault {
        case .cut, .partition: later { $0.finish(RemoteError(.streamEnded, "the connection was cut")) }
        case .cancel: later { $0.finish(RemoteError(.denied, "cancel")) }
        case .revoked: later { $0.finish(RemoteError(.tokenEnded, "auth_revoked")) }
        case .repeated: listener.sendSnapshot(of: network.database)
        case .silent: fallSilent()
        default: break
        }
    }

    private func later(_ action: @escaping (SimulatedStream) -> Void) {
        network.timeline.after(network.weather.latency(at: network.timeline.now)) { action(self) }
    }

    private func fallSilent() {
        guard !isSilent else { return }
        isSilent = true
        forgetListener()
        network.timeline.after(SimulatedStream.silence) {
            self.finish(RemoteError(.streamEnded, "the stream was silent"))
        }
    }

    private func forgetListener() {
        network.database.listeners.removeAll { $0 === listener }
        listener = nil
    }

    private func finish(_ error: RemoteError) {
        guard !isOver else { return }
        close()
        end(error)
    }

    private func send(_ events: [RemoteEvent]) {
        let now = network.timeline.now
        if network.weather.strikes(.silent, at: now) { return fallSilent() }
        var rest = events[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 + network.weather.random.below(6)))
            rest = rest.dropFirst(piece.count)
            lastArrival = max(lastArrival, now + network.weather.latency(at: now))
            network.timeline.after(lastArrival - now) { [self] in
                if !isOver, !isSilent { receive(piece) }
            }
        }
    }
}
