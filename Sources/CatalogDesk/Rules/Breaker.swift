/// Leaves a source alone that does not answer: after some failures in a row it is asked only now and then, one request
/// at a time, until an answer comes.
struct Breaker: Hashable, Sendable {
    private static let failuresAllowed = 5
    /// In milliseconds.
    private static let firstRest: UInt64 = 30_000
    private static let longestRest: UInt64 = 600_000

    private var failures = 0
    private var rest = firstRest
    /// Nobody asks before this moment.
    private(set) var closedUntil: UInt64?

    /// Whether one may ask now. Where the rest is over this says so once, and rests again until the answer is there.
    mutating func admits(at now: UInt64) -> Bool {
        guard let until = closedUntil else { return true }
        guard now >= until else { return false }
        closedUntil = now + Breaker.firstRest
        return true
    }

    mutating func succeeded() { self = Breaker() }

    mutating func failed(at now: UInt64) {
        failures += 1
        guard failures >= Breaker.failuresAllowed else { return }
        closedUntil = now + rest
        rest = min(rest * 2, Breaker.longestRest)
    }
}
