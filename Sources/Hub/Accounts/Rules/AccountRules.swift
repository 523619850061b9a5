internal import SyncModel

/// Answers calls about accounts, as Firebase's clients expect them: which checks come in which order, what changes, and
/// the words of refusals.
///
/// Everything happens in one transaction of the book. A refusal and ``NeededWork`` leave nothing behind, so a call may be
/// answered again once its work is done.
package struct AccountRules {
    let request: AccountRequest
    let book: any AccountBook
    var random: any RandomNumberGenerator

    /// Throws an ``AccountRefusal``, ``NeededWork`` or an error of the book.
    package static func answer(
        _ request: AccountRequest, in book: any AccountBook, random: any RandomNumberGenerator
    ) throws -> AccountAnswer {
        if request.call.isForAdministrators, !request.isAdministrator { throw AccountRefusal.unauthenticated }
        var rules = AccountRules(request: request, book: book, random: random)
        return try rules.answer()
    }

    private mutating func answer() throws -> AccountAnswer {
        switch request.call {
        case .signUp: try signUp()
        case .signInWithPassword: try signInWithPassword()
        case .signInWithCustomToken: try signInWithCustomToken()
        case .signInWithEmailLink: try signInWithEmailLink()
        case .signInWithIdp, .signInWithPhoneNumber, .sendVerificationCode: throw AccountRefusal.notAllowed
        case .lookup: try lookup()
        case .update: try update()
        case .delete: try delete()
        case .sendOobCode: try sendCode()
        case .resetPassword: try resetPassword()
        case .createAuthUri: try createAuthURI()
        case .token: try refresh()
        case .batchGet: try batchGet()
        case .batchCreate: try batchCreate()
        case .batchDelete: try batchDelete()
        case .query: try query()
        case .createSessionCookie: try createSessionCookie()
        case .projectConfig, .recaptchaParams, .recaptchaConfig: describe()
        case .getConfig, .updateConfig: try configure()
        case .clear: try clear()
        }
    }

    // MARK: What several calls need

    var body: AccountBody { request.body }
    var now: Int64 { request.now }

    func policy() throws -> AccountPolicy { try book.policy() ?? request.policy }

    /// Throws unless the address is one; it is returned in lower case.
    func checked(email: String) throws(AccountRefusal) -> String {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), email.utf8.count <= 320,
            !email.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F })
        else { throw .invalidEmail }
        return email.lowercased()
    }

    func checkFree(email: String) throws {
        guard try book.account(email: email) == nil else { throw AccountRefusal.emailExists }
    }

    /// The hash of a new password. Throws where it is too short, and ``NeededWork`` where it is not there yet.
    func hash(of password: String) throws -> PasswordHash {
        // Clients count as JavaScript does.
        guard password.utf16.count >= 6 else { throw AccountRefusal.weakPassword }
        for case .made(password, let hash) in request.done { return hash }
        throw NeededWork(work: .making(of: password))
    }

    func isRight(_ password: String, for hash: PasswordHash?) throws -> Bool {
        for case .tried(password, against: hash, let isRight) in request.done { return isRight }
        throw NeededWork(work: .trying(password, against: hash))
    }

    /// Whose ID token the call carries, and how that user was signed in.
    func bearer() throws -> (account: Account, provider: String, claims: [String: JSONValue]) {
        let claims: [String: JSONValue]
        switch request.idToken {
        case .good(let good)?: claims = good
        case .expired?: throw AccountRefusal.tokenExpired
        case .unreadable?, nil: throw AccountRefusal.invalidIDToken
        }
        guard let id = claims["user_id"]?.text ?? claims["sub"]?.text, let account = try book.account(id: id) else {
            throw AccountRefusal.userNotFound
        }
        guard let time = (claims["auth_time"] ?? claims["iat"])?.whole, account.accepts(authTime: time) else {
            throw AccountRefusal.tokenExpired
        }
        guard !account.isDisabled else { throw AccountRefusal.userDisabled }
        return (account, claims["firebase"]?.members?["sign_in_provider"]?.text ?? "custom", claims)
    }

    /// Throws where the sign-in of `claims` is too long ago for a change of what one signs in with.
    func checkRecent(_ claims: [String: JSONValue]) throws {
        guard let limit = request.recentSignIn, !request.isAdministrator else { return }
        guard let time = claims["auth_time"]?.whole, time >= now / 1000 - limit else {
            throw AccountRefusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
    }
}
