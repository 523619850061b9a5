internal import SyncModel

/// How one becomes a user, and signs in.
extension AccountRules {
    mutating func signUp() throws -> AccountAnswer {
        if request.isAdministrator { return try createAccount() }
        guard !body.has("localId") else { throw AccountRefusal("UNEXPECTED_PARAMETER : User ID") }
        let policy = try policy()
        let isNamed = try ["idToken", "email", "password"].contains { try body.words($0) != nil }
        guard isNamed else {
            guard !body.has("email") else { throw AccountRefusal.invalidEmail }
            guard policy.allowsAnonymous, policy.allowsSignUp else { throw AccountRefusal("ADMIN_ONLY_OPERATION") }
            return try enter(Account(id: Secret.accountID(using: &random), now: now), by: "anonymous")
        }
        guard let text = try body.words("email") else { throw AccountRefusal.missingEmail }
        guard let password = try body.words("password") else { throw AccountRefusal("MISSING_PASSWORD") }
        guard policy.allowsPasswords else { throw AccountRefusal.notAllowed }
        let email = try checked(email: text)
        guard try body.words("idToken") == nil else { return try link(email, password) }
        guard policy.allowsSignUp else { throw AccountRefusal("ADMIN_ONLY_OPERATION") }
        try checkFree(email: email)
        var account = Account(id: Secret.accountID(using: &random), now: now)
        account.email = email
        account.password = try hash(of: password)
        account.passwordUpdatedAt = now
        account.displayName = try body.words("displayName")
        return try enter(account, by: "password")
    }

    private mutating func enter(_ new: Account, by provider: String) throws -> AccountAnswer {
        var account = new
        var answer = AccountAnswer(AccountRules.described(account))
        try signIn(&account, by: provider, into: &answer)
        return answer
    }

    /// Gives a user who is signed in, most often without a name, an address and a password.
    private mutating func link(_ email: String, _ password: String) throws -> AccountAnswer {
        var (account, _, claims) = try bearer()
        if account.email != email { try checkFree(email: email) }
        // Whoever finds an open session must not be able to make it their own.
        if account.password != nil { try checkRecent(claims) }
        account.password = try hash(of: password)
        account.passwordUpdatedAt = now
        account.email = email
        account.isEmailVerified = false
        if let name = try body.words("displayName") { account.displayName = name }
        account.endSessions(now: now)
        var answer = try enter(account, by: "password")
        answer.endsSessions = true
        return answer
    }

    /// What an administrator makes; nobody is signed in by it.
    private mutating func createAccount() throws -> AccountAnswer {
        let id = try body.words("localId") ?? Secret.accountID(using: &random)
        guard Account.canHave(id: id) else { throw AccountRefusal("INVALID_LOCAL_ID") }
        guard try book.account(id: id) == nil else { throw AccountRefusal.duplicateID }
        var account = Account(id: id, now: now)
        account.displayName = try body.words("displayName")
        account.photoURL = try body.words("photoUrl")
        account.isEmailVerified = try body.truth("emailVerified") ?? false
        account.isDisabled = try body.truth("disabled") ?? false
        if let phone = try body.words("phoneNumber") { account.phoneNumber = try checkedFree(phone: phone) }
        if let text = try body.text("email") {
            let email = try checked(email: text)
            try checkFree(email: email)
            account.email = email
        }
        if let password = try body.words("password") {
            account.password = try hash(of: password)
            account.passwordUpdatedAt = now
        }
        if let claims = try body.words("customAttributes") {
            try check(customAttributes: claims)
            account.customAttributes = claims
        }
        try book.put(account)
        return AccountAnswer(AccountRules.described(account))
    }

    /// Throws unless the number is one that nobody has.
    func checkedFree(phone: String) throws -> String {
        let digits = phone.utf8.dropFirst().filter { (0x30...0x39).contains($0) }.count
        guard phone.hasPrefix("+"), digits > 0, phone.utf8.count <= 40 else {
            throw AccountRefusal("INVALID_PHONE_NUMBER : Invalid format.")
        }
        guard try book.account(phoneNumber: phone) == nil else { throw AccountRefusal("PHONE_NUMBER_EXISTS") }
        return phone
    }

    private static func described(_ account: Account) -> [String: JSONValue] {
        var body: [String: JSONValue] = [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id),
        ]
        if let email = account.email { body["email"] = .string(email) }
        if let name = account.displayName { body["displayName"] = .string(name) }
        return body
    }

    mutating func signInWithPassword() throws -> AccountAnswer {
        let policy = try policy()
        guard policy.allowsPasswords else { throw AccountRefusal("PASSWORD_LOGIN_DISABLED") }
        guard let text = try body.text("email") else { throw AccountRefusal.missingEmail }
        let email = try checked(email: text)
        guard let password = try body.words("password") else { throw AccountRefusal("MISSING_PASSWORD") }
        let found = try book.account(email: email)
        let isRight = try isRight(password, for: found?.password)
        guard var account = found else {
            throw AccountRefusal(policy.hidesEmails ? "INVALID_LOGIN_CREDENTIALS" : "EMAIL_NOT_FOUND")
        }
        guard let hash = account.password, isRight else {
            throw AccountRefusal(policy.hidesEmails ? "INVALID_LOGIN_CREDENTIALS" : "INVALID_PASSWORD")
        }
        guard !account.isDisabled else { throw AccountRefusal.userDisabled }
        // What was imported, or made with less effort, is made anew while the password is known.
        if hash.method != request.hashing, password.utf16.count >= 6 { account.password = try self.hash(of: password) }
        var answer = AccountAnswer([
            "kind": "identitytoolkit#VerifyPasswordResponse", "registered": true, "localId": .string(account.id),
            "email": .string(email), "displayName": .string(account.displayName ?? ""),
        ])
        if let photo = account.photoURL { answer.body["profilePicture"] = .string(photo) }
        try signIn(&account, by: "password", into: &answer)
        return answer
    }

    mutating func signInWithCustomToken() throws -> AccountAnswer {
        guard try body.words("token") != nil else { throw AccountRefusal("MISSING_CUSTOM_TOKEN") }
        let claims: [String: JSONValue]
        switch request.customToken {
        case .good(let good)?: claims = good
        case .expired?: throw AccountRefusal.tokenExpired
        case .unreadable?, nil: throw AccountRefusal("INVALID_CUSTOM_TOKEN : Invalid assertion format")
        }
        guard let id = (claims["uid"] ?? claims["user_id"])?.text, Account.canHave(id: id) else {
            throw AccountRefusal("MISSING_IDENTIFIER")
        }
        let extra: [String: JSONValue]
        switch claims["claims"] {
        case nil, .null?: extra = [:]
        case .object(let members)?: extra = members
        default: throw AccountRefusal("INVALID_CLAIMS")
        }
        try check(claims: extra)
        let found = try book.account(id: id)
        guard found?.isDisabled != true else { throw AccountRefusal.userDisabled }
        var account = found ?? Account(id: id, now: now)
        account.isCustom = true
        var answer = AccountAnswer([
            "kind": "identitytoolkit#VerifyCustomTokenResponse", "isNewUser": .bool(found == nil),
        ])
        try signIn(&account, by: "custom", claims: extra, into: &answer)
        return answer
    }
}
