/// A token that a service account was given.
struct AccessToken: Hashable, Sendable {
    var text: String
    var obtained: ContinuousClock.Instant
    /// From when on a new one should be asked for.
    var renewal: ContinuousClock.Instant
    var expires: ContinuousClock.Instant

    /// How long a token lives whose server says so many seconds: a day at most, and an hour where it does not say.
    static func life(seconds: Int64?) -> Duration { .seconds(min(max(0, seconds ?? 3600), 86_400)) }
}
