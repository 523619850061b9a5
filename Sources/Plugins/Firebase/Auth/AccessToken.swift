/// A token that a service account was given.
struct AccessToken: Hashable, Sendable {
    var text: String
    var obtained: ContinuousClock.Instant
    /// From when on a new one should be asked for.
    var renewal: ContinuousClock.Instant
    var expires: ContinuousClock.Instant
}
