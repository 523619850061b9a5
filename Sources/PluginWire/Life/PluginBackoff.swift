/// How long a plugin that failed rests, and when it has failed too often. Milliseconds of a clock that only goes forward.
package struct PluginBackoff: Hashable, Sendable {
    private static let first: UInt64 = 1_000
    private static let longest: UInt64 = 300_000
    /// A life of at least so long makes up for the failures before.
    private static let good: UInt64 = 600_000
    private static let window: UInt64 = 300_000
    private static let tooMany = 5

    private var next = PluginBackoff.first
    private var failures: [UInt64] = []

    package init() {}

    /// Notes a failure.
    ///
    /// - Parameter lived: how long the plugin had run since it was greeted; nil where it never was.
    /// - Returns: how long it rests; nil where it has failed so often that a person has to look.
    package mutating func failed(at now: UInt64, lived: UInt64?) -> UInt64? {
        if let lived, lived >= PluginBackoff.good { self = PluginBackoff() }
        failures.removeAll { $0 + PluginBackoff.window <= now }
        failures.append(now)
        guard failures.count < PluginBackoff.tooMany else { return nil }
        defer { next = min(next * 2, PluginBackoff.longest) }
        return next
    }
}
