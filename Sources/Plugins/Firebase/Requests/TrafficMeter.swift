internal import FirebaseWire
internal import FoundationEssentials
internal import HTTPCalling
internal import PluginKit
internal import SyncModel
internal import Synchronization

/// Counts what goes over the wire. Safe from any task.
final class TrafficMeter: Sendable {
    private struct State {
        var traffic = RemoteTraffic()
        var offset = ClockOffset()
    }

    private let state = Mutex(State())

    var traffic: RemoteTraffic {
        state.withLock { state in
            var traffic = state.traffic
            traffic.clockOffset = state.offset.milliseconds(wall: Self.wall(), steady: Self.now())
            return traffic
        }
    }

    private static let start = ContinuousClock.now

    /// Milliseconds of a clock that nobody sets and that goes on while the machine sleeps.
    static func now() -> Int64 { Int64((ContinuousClock.now - start) / .milliseconds(1)) }

    /// The wall clock, milliseconds since 1970.
    static func wall() -> Int64 { Int64((Date.now.timeIntervalSince1970 * 1000).rounded()) }

    func requestSent(bytes: Int) {
        state.withLock { state in
            state.traffic.requests += 1
            state.traffic.bytesSent += bytes
        }
    }

    func received(bytes: Int) {
        state.withLock { $0.traffic.bytesReceived += bytes }
    }

    /// An answer began. `date` is its `Date` header, `sent` is `now()` when its request was handed over.
    func answered(date: String?, sent: Int64) {
        guard let date = date.flatMap(HTTPDate.milliseconds) else { return }
        let received = Self.now()
        state.withLock { $0.offset.observe(serverDate: date, sent: sent, received: received) }
    }
}
