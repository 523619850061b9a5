package import SyncModel

/// A user as the hub knows one.
package struct Account: Hashable, Sendable {
    /// As ``canHave(id:)``; what rules see as `auth.uid`.
    package let id: String
    /// In lower case; no two accounts have the same.
    package var email: String?
    package var isEmailVerified = false
    package var displayName: String?
    package var photoURL: String?
    /// No two accounts have the same.
    package var phoneNumber: String?
    /// Nil where nobody can sign in by password.
    package var password: PasswordHash?
    /// Milliseconds since 1970.
    package var passwordUpdatedAt: Int64?
    package var isDisabled = false
    /// A JSON object of claims that ID tokens carry.
    package var customAttributes: String?
    /// Whether it was signed in by a custom token.
    package var isCustom = false
    /// Whether it was signed in by a link.
    package var hasEmailLink = false
    /// Providers elsewhere, as they were imported.
    package var otherProviders: [JSONValue] = []
    /// Seconds since 1970: tokens of earlier sign-ins are no longer good.
    package var validSince: Int64
    /// Seconds since 1970, when the newest ID token was issued.
    package var lastIssuedAt: Int64 = 0
    /// Milliseconds since 1970.
    package var createdAt: Int64
    /// Milliseconds since 1970.
    package var lastLoginAt: Int64?
    /// Milliseconds since 1970.
    package var lastRefreshAt: Int64?

    /// Whether an account can have this id: as Firebase, 1 to 128 characters.
    package static func canHave(id: String) -> Bool { (1...128).contains(id.utf16.count) }

    /// - Parameter now: milliseconds since 1970.
    package init(id: String, now: Int64) {
        self.id = id
        createdAt = now
        validSince = now / 1000
    }
}

extension Account {
    /// Ends all tokens that were given so far, and none that will be.
    ///
    /// Times in tokens have no fractions: where one was given within this second, the next one counts as of the next.
    ///
    /// - Parameter now: milliseconds since 1970.
    package mutating func endSessions(now: Int64) { validSince = max(now / 1000, lastIssuedAt + 1) }

    /// - Parameter second: since 1970, as an administrator says it; that may be long ago.
    package mutating func endSessions(asOf second: Int64) {
        validSince = second == lastIssuedAt ? second + 1 : second
    }

    /// The time, in seconds since 1970, that a token issued now says: right after all sessions ended that is a moment to
    /// come, for which whoever hands the token out has to wait.
    ///
    /// - Parameter now: milliseconds since 1970.
    mutating func issue(now: Int64) -> Int64 {
        let second = now / 1000
        lastIssuedAt = (second...(second + 2)).contains(validSince) ? validSince : second
        return lastIssuedAt
    }

    /// Whether a token of a sign-in at `authTime` is still good.
    package func accepts(authTime: Int64) -> Bool { authTime >= validSince }
}
