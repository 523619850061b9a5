/// The people who sign in at the remote from this machine.
package protocol PeopleService: Sendable {
    /// Who a user of this machine is; ``ControlRoute/localPerson`` where nobody has signed in for them.
    ///
    /// - Parameter user: nil where there is no telling.
    func person(of user: UInt32?) -> SessionReply

    /// Who has signed in under a name.
    ///
    /// - Throws: `unknownSession` (404).
    func session(named name: String) throws(ControlError) -> SessionReply

    /// Everybody who has signed in, by name.
    func sessions() -> [SessionReply]

    /// Signs a person in, or registers them first; from then on `user` is this person. Where `users.map` names the
    /// session that the person has, it keeps that name.
    ///
    /// - Throws: `wrongCredentials` (401), `emailTaken`, `nameTaken` (409), `weakPassword`, `invalidEmail` (400),
    ///   `disabled` (403), `tooManyAttempts` (429), `offline` (503), `refused` (502), `noAccounts`, `configuredSession`,
    ///   `mapped` (409).
    func signIn(_ order: SignInOrder, user: UInt32?) async throws -> SessionReply

    /// Forgets a session; what its person wrote is the daemon's to write from then on.
    ///
    /// - Throws: `unknownSession` (404), also when called again, or `configuredSession` (409).
    func signOut(_ name: String) async throws -> SessionReply
}

/// How somebody wants to sign in.
package struct SignInOrder: ControlOrder, Codable, Hashable, Sendable, CustomReflectable {
    package var email: String
    package var password: String
    /// What the session is to be called; nil for the first part of the address.
    package var name: String?
    /// Whether to make the account first.
    package var register: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable { case email, password, name, register }

    package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }

    package init(email: String, password: String, name: String?, register: Bool) {
        self.email = email
        self.password = password
        self.name = name
        self.register = register
    }

    package var customMirror: Mirror { Mirror(self, children: ["name": name as Any]) }
}

/// A person who has signed in, or has not.
package struct SessionReply: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        /// Nobody has: the person has no account as far as this node knows.
        case local
        case signedIn
        /// The person has to sign in again.
        case ended
    }

    /// What the session is called here; null where there is none.
    @Nullable package var name: String?
    /// By which the database knows the person.
    package var uid: String
    @Nullable package var email: String?
    package var state: State
    /// Why it has ended.
    @Nullable package var reason: String?
    @Nullable package var since: Moment?
    /// The users of this machine who are this person.
    package var localUsers: [UInt32]
    /// Whether the configuration names the token; left out where it does not.
    package var configured: Bool?

    package init(
        name: String?, uid: String, email: String?, state: State, reason: String? = nil, since: Moment? = nil,
        localUsers: [UInt32] = []
    ) {
        self.name = name
        self.uid = uid
        self.email = email
        self.state = state
        self.reason = reason
        self.since = since
        self.localUsers = localUsers
    }

    /// Of a user for whom nobody has signed in.
    package static let nobody = SessionReply(name: nil, uid: ControlRoute.localPerson, email: nil, state: .local)
}

/// A daemon at which nobody signs in.
package struct NoPeople: PeopleService {
    package init() {}

    package func person(of user: UInt32?) -> SessionReply { .nobody }

    package func session(named name: String) throws(ControlError) -> SessionReply { throw .unknownSession(name) }

    package func sessions() -> [SessionReply] { [] }

    package func signIn(_ order: SignInOrder, user: UInt32?) async throws -> SessionReply {
        throw ControlError.noAccounts
    }

    package func signOut(_ name: String) async throws -> SessionReply { throw ControlError.unknownSession(name) }
}

extension ControlError {
    package static func unknownSession(_ name: String) -> ControlError {
        ControlError(404, "unknownSession", "nobody has signed in as '\(name)'")
    }

    /// Whose a configured token is has to come from the remote, which did not answer so far.
    package static func notAskedYet(_ name: String) -> ControlError {
        ControlError(
            503, "notAskedYet", "who '\(name)' is has not been asked of the remote yet: try again, or give the uid")
    }

    package static let noAccounts = ControlError(
        409, "noAccounts", "this remote knows no accounts: people can't sign in there")
}
