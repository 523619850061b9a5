internal import JSONText
internal import SyncModel

/// What is given out to whoever has signed in.
extension AccountRules {
    /// Seconds.
    static let tokenLife: Int64 = 3600

    /// Signs `account` in and stores it: an ID token and a refresh token go into `answer`.
    mutating func signIn(
        _ account: inout Account, by provider: String, claims: [String: JSONValue] = [:],
        into answer: inout AccountAnswer
    ) throws {
        account.lastLoginAt = now
        account.lastRefreshAt = now
        let session = Session(
            account: account.id, authTime: account.issue(now: now), provider: provider, claims: claims)
        try book.put(account)
        let token = Secret.make(using: &random)
        try book.put(session, hash: Secret.hash(token))
        answer.body["refreshToken"] = .string(token)
        answer.body["expiresIn"] = .string(String(AccountRules.tokenLife))
        answer.grant = TokenGrant(claims: claimsOf(account, session), members: ["idToken"])
    }

    /// What an ID token of `session` says. What the service itself says can't be said by anybody else.
    private func claimsOf(_ account: Account, _ session: Session) -> [String: JSONValue] {
        var claims = account.customAttributes.flatMap { try? JSONReader.members(Array($0.utf8)) } ?? [:]
        claims.merge(session.claims) { _, own in own }
        if let name = account.displayName { claims["name"] = .string(name) }
        if let picture = account.photoURL { claims["picture"] = .string(picture) }
        if session.provider == "anonymous" { claims["provider_id"] = "anonymous" }
        var identities: [String: JSONValue] = [:]
        if let email = account.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(account.isEmailVerified)
            identities["email"] = [.string(email)]
        }
        if let phone = account.phoneNumber {
            claims["phone_number"] = .string(phone)
            identities["phone"] = [.string(phone)]
        }
        let own: [String: JSONValue] = [
            "iss": .string("https://securetoken.google.com/\(request.project)"), "aud": .string(request.project),
            "auth_time": .integer(session.authTime), "user_id": .string(account.id), "sub": .string(account.id),
            "iat": .integer(account.lastIssuedAt), "exp": .integer(account.lastIssuedAt + AccountRules.tokenLife),
            "firebase": ["identities": .object(identities), "sign_in_provider": .string(session.provider)],
        ]
        return claims.merging(own) { _, own in own }
    }

    /// A refresh token for a new ID token.
    mutating func refresh() throws -> AccountAnswer {
        guard let kind = try body.words("grant_type") ?? body.words("grantType") else {
            throw AccountRefusal("MISSING_GRANT_TYPE")
        }
        guard kind == "refresh_token" else { throw AccountRefusal("INVALID_GRANT_TYPE") }
        guard let token = try body.words("refresh_token") ?? body.words("refreshToken") else {
            throw AccountRefusal("MISSING_REFRESH_TOKEN")
        }
        guard let session = try book.session(hash: Secret.hash(token)) else {
            throw AccountRefusal("INVALID_REFRESH_TOKEN")
        }
        guard var account = try book.account(id: session.account) else { throw AccountRefusal.userNotFound }
        guard !account.isDisabled else { throw AccountRefusal.userDisabled }
        guard account.accepts(authTime: session.authTime) else { throw AccountRefusal.tokenExpired }
        account.lastRefreshAt = now
        _ = account.issue(now: now)
        try book.put(account)
        var answer = AccountAnswer([
            "expires_in": .string(String(AccountRules.tokenLife)), "token_type": "Bearer",
            "refresh_token": .string(token), "user_id": .string(account.id), "project_id": .string(request.project),
        ])
        answer.grant = TokenGrant(claims: claimsOf(account, session), members: ["id_token", "access_token"])
        return answer
    }

    /// A token of its own kind for the cookies of web servers, from an ID token.
    func createSessionCookie() throws -> AccountAnswer {
        guard try body.words("idToken") != nil else { throw AccountRefusal.missingIDToken }
        let seconds = try body.whole("validDuration") ?? AccountRules.longestCookie
        guard (300...AccountRules.longestCookie).contains(seconds) else { throw AccountRefusal("INVALID_DURATION") }
        var claims = try bearer().claims
        claims["iss"] = .string("https://session.firebase.google.com/\(request.project)")
        claims["iat"] = .integer(now / 1000)
        claims["exp"] = .integer(now / 1000 + seconds)
        var answer = AccountAnswer([:])
        answer.grant = TokenGrant(claims: claims, members: ["sessionCookie"])
        return answer
    }

    /// In seconds: two weeks.
    private static let longestCookie: Int64 = 14 * 24 * 3600

    /// Claims that nobody but the service may say.
    private static let reserved: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "iat", "iss", "jti", "nbf",
        "nonce", "sub", "firebase", "user_id",
    ]

    /// Throws where `claims` hold what only the service says.
    func check(claims: [String: JSONValue]) throws(AccountRefusal) {
        if let first = claims.keys.sorted().first(where: AccountRules.reserved.contains) {
            throw AccountRefusal("FORBIDDEN_CLAIM : \(first)")
        }
    }

    /// Throws where an administrator's claims are too many, no object, or not to be said.
    func check(customAttributes text: String) throws(AccountRefusal) {
        guard text.utf16.count <= 1000 else { throw AccountRefusal("CLAIMS_TOO_LARGE") }
        guard let claims = try? JSONReader.members(Array(text.utf8)) else { throw AccountRefusal("INVALID_CLAIMS") }
        try check(claims: claims)
    }
}
