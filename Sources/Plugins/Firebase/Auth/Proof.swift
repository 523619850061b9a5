/// What one request carries to prove who sends it.
struct Proof: Sendable {
    var authorization: String?
    var query: [DatabaseLocation.QueryItem] = []
    /// The token that `authorization` is made of, where it ends at some time.
    var token: AccessToken?
}
