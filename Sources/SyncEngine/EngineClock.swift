/// The clocks of the engine; a test drives its own.
package struct EngineClock: Sendable {
    /// This machine's clock, milliseconds since 1970.
    package var wall: @Sendable () -> UInt64
    /// Milliseconds of a clock that only goes forward.
    package var monotonic: @Sendable () -> UInt64
    /// Returns when the monotonic clock has come to this moment, or the task is cancelled.
    package var sleep: @Sendable (_ until: UInt64) async -> Void

    package init(
        wall: @escaping @Sendable () -> UInt64, monotonic: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (_ until: UInt64) async -> Void
    ) {
        self.wall = wall
        self.monotonic = monotonic
        self.sleep = sleep
    }

    /// The clocks of the system.
    ///
    /// - Parameter wall: milliseconds since 1970.
    package static func system(wall: @escaping @Sendable () -> UInt64) -> EngineClock {
        let start = ContinuousClock.now
        return EngineClock(
            wall: wall, monotonic: { UInt64(start.duration(to: .now) / .milliseconds(1)) },
            sleep: { try? await Task.sleep(until: start + .milliseconds(Int64(clamping: $0)), clock: .continuous) })
    }
}
