internal import FoundationEssentials

/// The time of day and waiting for it, so that tests can move it by hand.
struct WallTime: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64
    /// Returns at the given time, or later; throws when cancelled.
    var wait: @Sendable (_ until: Int64) async throws -> Void

    static let system = WallTime(now: wallMilliseconds) { end in
        while true {
            let rest = end - wallMilliseconds()
            guard rest > 0 else { return }
            // A clock that was set meanwhile is looked at again after a day at most.
            try await Task.sleep(for: .milliseconds(min(rest, 86_400_000)))
        }
    }
}

/// Milliseconds since 1970.
func wallMilliseconds() -> Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
