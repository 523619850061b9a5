/// How long to wait after failures: doubling with jitter, from half a second to a minute, or as the server asks.
package struct Backoff: Hashable, Sendable {
    private static let longest = Duration.seconds(60)
    private var failures = 0

    package init() {}

    /// Notes a failure and gives the wait before the next attempt.
    ///
    /// - Parameter random: from 0 to 1; spreads the attempts of many nodes.
    package mutating func failed(retryAfter: Duration? = nil, random: Double) -> Duration {
        let doubled = Duration.milliseconds(500) * (1 << min(failures, 7))
        failures += 1
        let spread = min(doubled, Backoff.longest) * (0.5 + random / 2)
        return max(spread, min(retryAfter ?? .zero, .seconds(3600)))
    }

    package mutating func succeeded() { failures = 0 }

    /// Notes that what fails now has run before: a failure after more than the longest wait is the first one again.
    ///
    /// - Parameter milliseconds: how long it ran.
    package mutating func ran(for milliseconds: UInt64) {
        if Duration.milliseconds(milliseconds) > Backoff.longest { succeeded() }
    }
}
