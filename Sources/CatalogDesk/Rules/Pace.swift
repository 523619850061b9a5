/// How often a catalog may be asked: so many requests at once, and so many a second after that.
struct Pace: Hashable, Sendable {
    /// In milliseconds.
    private let interval: Double
    private let burst: Double
    /// When the next request is due at the even pace.
    private var due = -Double.infinity

    init(burst: Int, perSecond: Double) {
        interval = 1_000 / max(perSecond, 0.001)
        self.burst = Double(max(1, burst))
    }

    /// The moment at which one more request may be sent, which is then taken; nil where that is further away than
    /// `patience`, and nothing is taken.
    mutating func reserve(at now: UInt64, patience: UInt64) -> UInt64? {
        let now = Double(now)
        let next = max(due, now - interval * (burst - 1))
        let moment = max(now, next)
        guard moment - now <= Double(patience) else { return nil }
        due = next + interval
        return UInt64(moment.rounded(.up))
    }

    /// How many requests could be sent at once now.
    func free(at now: UInt64) -> Int {
        Int(((Double(now) - due) / interval + 1).rounded(.down).clamped(to: 0...burst))
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
