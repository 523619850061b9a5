internal import SyncModel

/// Server times that were ahead when they were shown, as far as was known then. One that is past by now was ahead all the
/// same where it is later than the time at which it was shown: what the server has written until then was perhaps not shown.
struct UnjudgedTimes: Sendable {
    /// Ascending, both the times and how far each is ahead of the monotonic clock: of what is earlier, and further ahead,
    /// nothing would be learned.
    private var times: [(time: UInt64, lead: Int64)] = []
    private static let most = 100

    mutating func add(_ time: UInt64, at monotonic: UInt64) {
        let lead = Int64(clamping: time) - Int64(clamping: monotonic)
        guard !times.contains(where: { $0.time >= time && $0.lead <= lead }) else { return }
        times.removeAll { $0.time <= time && $0.lead >= lead }
        times.insert((time, lead), at: times.firstIndex { $0.time > time } ?? times.endIndex)
        if times.count > UnjudgedTimes.most { thinOut() }
    }

    /// Of the two that are closest the earlier one goes: the latest is what counts where none was ahead.
    private mutating func thinOut() {
        let gaps = zip(times, times.dropFirst()).map { $1.time - $0.time }
        if let place = gaps.indices.min(by: { gaps[$0] < gaps[$1] }) { times.remove(at: place) }
    }

    /// Takes those that were not ahead, as is known now; gives the latest.
    mutating func take(_ policy: StampPolicy, at monotonic: UInt64) -> UInt64? {
        let lead = Int64(clamping: policy.serverNow) + Int64(clamping: policy.maxAhead) - Int64(clamping: monotonic)
        let known = times.prefix { $0.lead <= lead }
        times.removeFirst(known.count)
        return known.last?.time
    }
}
