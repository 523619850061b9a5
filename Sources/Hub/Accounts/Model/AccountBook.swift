package import SyncModel

/// All accounts, as one transaction sees them: what is thrown out of it has not happened.
package protocol AccountBook: AnyObject {
    func account(id: String) throws -> Account?
    /// - Parameter email: in lower case.
    func account(email: String) throws -> Account?
    func account(phoneNumber: String) throws -> Account?
    /// At most `limit` accounts in the order of their ids, after the one with the id `after`.
    func accounts(after: String?, limit: Int) throws -> [Account]
    func count() throws -> Int
    /// Adds the account, or replaces the one with its id.
    func put(_ account: Account) throws
    /// Removes the account with its sessions and codes.
    func removeAccount(id: String) throws
    func removeAll() throws

    /// - Parameter hash: of the token, see ``Secret``.
    func session(hash: [UInt8]) throws -> Session?
    /// Adds a session; of very many of one account the oldest ones end.
    func put(_ session: Session, hash: [UInt8]) throws

    func code(hash: [UInt8]) throws -> OneTimeCode?
    /// - Parameter hash: of the code, see ``Secret``.
    func put(_ code: OneTimeCode, hash: [UInt8]) throws
    func removeCode(hash: [UInt8]) throws
    func removeCodes(endedBefore: Int64) throws
    func removeCodes(ofAccount id: String) throws

    /// What somebody has decided at run time; nil where nobody has.
    func policy() throws -> AccountPolicy?
    func put(_ policy: AccountPolicy) throws
}

/// What a refresh token stands for: one sign-in of one account.
package struct Session: Hashable, Sendable {
    package var account: String
    /// Seconds since 1970, when it was signed in.
    package var authTime: Int64
    /// `password`, `anonymous`, `custom`.
    package var provider: String
    /// Claims of the custom token that it was signed in by.
    package var claims: [String: JSONValue]

    package init(account: String, authTime: Int64, provider: String, claims: [String: JSONValue] = [:]) {
        self.account = account
        self.authTime = authTime
        self.provider = provider
        self.claims = claims
    }
}

/// What was promised to whoever shows a code that was sent to an address.
package struct OneTimeCode: Hashable, Sendable {
    package var request: CodeRequest
    package var email: String
    package var newEmail: String?
    /// Nil where the address is nobody's: such a code is good for nothing, and takes as long to make.
    package var account: String?
    /// Milliseconds since 1970.
    package var ends: Int64

    package init(request: CodeRequest, email: String, newEmail: String?, account: String?, ends: Int64) {
        self.request = request
        self.email = email
        self.newEmail = newEmail
        self.account = account
        self.ends = ends
    }
}

/// What a code is sent for.
package enum CodeRequest: String, Hashable, Sendable, CaseIterable {
    case passwordReset = "PASSWORD_RESET"
    case verifyEmail = "VERIFY_EMAIL"
    case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    case emailSignIn = "EMAIL_SIGNIN"

    /// The word of links.
    package var mode: String {
        switch self {
        case .passwordReset: "resetPassword"
        case .verifyEmail: "verifyEmail"
        case .verifyAndChangeEmail: "verifyAndChangeEmail"
        case .emailSignIn: "signIn"
        }
    }
}

/// What users may do by themselves.
package struct AccountPolicy: Hashable, Sendable {
    /// Whether nobody learns whether an address has an account.
    package var hidesEmails = true
    package var allowsPasswords = true
    package var allowsAnonymous = true
    package var allowsEmailLinks = true
    package var allowsSignUp = true
    package var allowsDeletion = true

    package init(hidesEmails: Bool = true) { self.hidesEmails = hidesEmails }
}

extension AccountPolicy {
    /// All of it, to be read again by ``init(stored:)``.
    package var stored: [String: JSONValue] {
        [
            "hidesEmails": .bool(hidesEmails), "allowsPasswords": .bool(allowsPasswords),
            "allowsAnonymous": .bool(allowsAnonymous), "allowsEmailLinks": .bool(allowsEmailLinks),
            "allowsSignUp": .bool(allowsSignUp), "allowsDeletion": .bool(allowsDeletion),
        ]
    }

    /// What is not said is as it is at first.
    package init(stored: [String: JSONValue]) {
        func truth(_ name: String) -> Bool { stored[name]?.truth ?? true }
        hidesEmails = truth("hidesEmails")
        allowsPasswords = truth("allowsPasswords")
        allowsAnonymous = truth("allowsAnonymous")
        allowsEmailLinks = truth("allowsEmailLinks")
        allowsSignUp = truth("allowsSignUp")
        allowsDeletion = truth("allowsDeletion")
    }
}
