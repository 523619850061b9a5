internal import DatabaseTree
internal import SyncModel

/// Who sends a request, and until when that holds.
struct Identity: Sendable {
    /// Nobody is signed in.
    static let nobody = Identity(principal: .client(auth: .null))

    var principal: Principal
    /// Whether everybody can make such a credential: an account of this server's own, or a token that nobody has signed.
    var isAnybodys = false
    /// Milliseconds since 1970; nil where it holds for good.
    var expires: Int64?

    /// Whether somebody vouches for the sender who does not do so for everybody.
    var isVouchedFor: Bool { !principal.isNobody && !isAnybodys }
}

extension Refusal {
    static let unreadableToken = Refusal(401, "Could not parse auth token.")
    static let expiredToken = Refusal(401, "Auth token is expired")
    static let unauthorized = Refusal(401, "Unauthorized request.")
}
