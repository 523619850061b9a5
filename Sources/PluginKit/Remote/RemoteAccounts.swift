/// The accounts of people at a remote.
///
/// Methods may be called concurrently. What can't be done is an ``AccountError``; a password is kept nowhere.
public protocol RemoteAccounts: Sendable {
    /// Signs a person in who has an account.
    func signIn(email: String, password: String) async throws -> RemoteGrant

    /// Makes an account, and signs the person in. A second call with the same address is `emailTaken`.
    func register(email: String, password: String) async throws -> RemoteGrant

    /// Whose a refresh token is, asked of the remote. What it returns has the token that counts from then on, which may be
    /// another one.
    func grant(_ refreshToken: String) async throws -> RemoteGrant

    /// The remote as a person reaches it: what it writes, it writes in their name. Belongs to the remote, whose
    /// ``Remote/shutdown()`` ends it.
    ///
    /// Where the session has ended for good, its methods throw ``RemoteError/Code/sessionEnded``, and nothing was sent.
    ///
    /// - Parameter renewed: is told of each token that the remote gives in place of the last one, which may count no more.
    func remote(
        actingWith refreshToken: String, renewed: @escaping @Sendable (_ last: String, _ next: String) -> Void
    ) -> any Remote
}

/// What somebody has who is signed in.
public struct RemoteGrant: Hashable, Sendable, CustomReflectable {
    /// By which the remote knows the person.
    public var uid: String
    /// Nil where the remote did not say.
    public var email: String?
    /// A secret: with it one acts as the person until the session ends.
    public var refreshToken: String

    public init(uid: String, email: String?, refreshToken: String) {
        self.uid = uid
        self.email = email
        self.refreshToken = refreshToken
    }

    public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}

/// Why somebody could not sign in or register.
public struct AccountError: Error, Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
        /// No account has this address with this password.
        case wrongCredentials
        case emailTaken, invalidEmail, weakPassword, disabled, tooManyAttempts
        /// What was a session is none any more.
        case sessionEnded
        /// Nobody can tell: the remote was not reached, or did not do its work.
        case offline
        /// Anything else that it said.
        case refused
    }

    public var reason: Reason
    /// One line for people; never a secret.
    public var message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
