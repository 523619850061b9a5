/// What befalls the requests and streams of one node for a while.
struct Weather {
    private var until: [Fault: UInt64] = [:]
    var random: SimulatedRandom

    init(_ random: SimulatedRandom) { self.random = random }

    mutating func begin(_ fault: Fault, until end: UInt64) { until[fault] = max(until[fault] ?? 0, end) }

    mutating func clear() { until = [:] }

    /// Whether the fault is about; each request then suffers it in two of three cases.
    mutating func strikes(_ fault: Fault, at now: UInt64) -> Bool {
        guard let end = until[fault], end > now else { return false }
        return random.chance(66)
    }

    func isAbout(_ fault: Fault, at now: UInt64) -> Bool { until[fault].map { $0 > now } ?? false }

    func isCalm(at now: UInt64) -> Bool { until.values.allSatisfy { $0 <= now } }

    /// How long something takes to the other side.
    mutating func latency(at now: UInt64) -> UInt64 {
        let usual = UInt64(5 + random.below(60))
        return strikes(.delayed, at: now) ? usual + UInt64(random.below(40_000)) : usual
    }
}
