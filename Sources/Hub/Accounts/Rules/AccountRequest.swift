package import SyncModel

/// A call with all that its answer depends on, besides the accounts themselves.
package struct AccountRequest: Sendable {
    package var call: AccountCall
    package var body: AccountBody
    /// Milliseconds since 1970.
    package var now: Int64
    /// Whether the sender may do everything.
    package var isAdministrator = false
    /// Whose tokens are given out.
    package var project: String
    /// What users may do where nobody has decided it at run time.
    package var policy = AccountPolicy()
    /// So old, in seconds, may a sign-in be for a change of e-mail or password; nil for any age.
    package var recentSignIn: Int64?
    /// What new passwords are hashed with.
    package var hashing = PasswordHash.Method.standard
    /// Where links lead to, without query.
    package var linkBase = ""
    /// What the body's `idToken` turned out to be; nil where it has none.
    package var idToken: TokenReading?
    /// What the body's custom `token` turned out to be; nil where it has none.
    package var customToken: TokenReading?
    /// The work of passwords that was done for this call already.
    package var done: [PasswordResult] = []

    package init(_ call: AccountCall, _ body: AccountBody, project: String, now: Int64) {
        self.call = call
        self.body = body
        self.project = project
        self.now = now
    }
}

/// What became of checking a token.
package enum TokenReading: Hashable, Sendable {
    /// It is good, and says this.
    case good([String: JSONValue])
    case expired
    case unreadable
}

/// Thrown where a call can't be answered before this is done, which takes a while. Nothing has happened then.
package struct NeededWork: Error, Hashable, Sendable {
    package let work: PasswordWork
}

/// What takes a tenth of a second and much memory, and is therefore done outside of any transaction.
package enum PasswordWork: Hashable, Sendable {
    case making(of: String)
    /// With nil something is tried that fails, so that nobody learns from the time it takes that there is nothing.
    case trying(String, against: PasswordHash?)
}

package enum PasswordResult: Hashable, Sendable {
    case made(of: String, PasswordHash)
    case tried(String, against: PasswordHash?, isRight: Bool)
}

/// What a call leads to.
package struct AccountAnswer: Sendable {
    package var body: [String: JSONValue]
    /// The claims of an ID token that is to be signed and put into the body.
    package var grant: TokenGrant?
    /// A code to be handed on.
    package var code: IssuedCode?
    /// Whether tokens that were good are no longer.
    package var endsSessions = false

    package init(_ body: [String: JSONValue]) { self.body = body }
}

package struct TokenGrant: Sendable {
    package var claims: [String: JSONValue]
    /// The members of the body that get the token.
    package var members: [String]
}

/// A code as it is sent to an address, in the only moment in which anybody knows it.
package struct IssuedCode: Sendable {
    package var request: CodeRequest
    package var email: String
    package var newEmail: String?
    package var code: String
    package var link: String
}
