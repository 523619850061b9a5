internal import Synchronization

/// Those who wait for progress: told of each change of the board.
final class Waiters: Sendable {
    private struct State: Sendable {
        var next = 0
        var alarms: [Int: Alarm] = [:]
    }

    private let state = Mutex(State())

    func add(_ alarm: Alarm) -> Int {
        state.withLock { state in
            state.next += 1
            state.alarms[state.next] = alarm
            return state.next
        }
    }

    func remove(_ number: Int) { state.withLock { $0.alarms[number] = nil } }

    func wake() {
        for alarm in state.withLock({ $0.alarms.values.map(\.self) }) { alarm.ring() }
    }
}
