internal import DatabaseTree

/// The end of the time that `timeout=` gives a read.
struct ReadDeadline: Sendable {
    private let end: ContinuousClock.Instant
    private let timeout: Duration

    init(_ timeout: Duration) {
        self.timeout = timeout
        end = .now + timeout
    }

    /// Throws a refusal once the time is over.
    func check() throws(Refusal) {
        guard ContinuousClock.now < end else {
            throw .badRequest("The read took longer than its timeout of \(timeout): ask for less, or for longer")
        }
    }
}
