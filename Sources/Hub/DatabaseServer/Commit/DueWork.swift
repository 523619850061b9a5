/// What is done between two commits as soon as the clock shows a time.
struct DueWork: Sendable {
    /// Milliseconds since 1970.
    let time: Int64
    /// Where the clock was set back, it is done now.
    let latest: ContinuousClock.Instant
    let body: @Sendable () -> Void

    /// Work that is ready `time` has come for.
    ///
    /// - Parameter now: milliseconds since 1970.
    init(time: Int64, now: Int64, _ body: @escaping @Sendable () -> Void) {
        self.time = time
        latest = .now + .milliseconds(max(0, time - now)) + .seconds(1)
        self.body = body
    }

    func isDue(_ now: Int64) -> Bool { time <= now || latest <= .now }
}
