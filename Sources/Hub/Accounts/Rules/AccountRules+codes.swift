internal import SyncModel

/// Codes that prove that somebody reads the mail of an address.
extension AccountRules {
    /// Milliseconds: an hour.
    private static let codeLife: Int64 = 3_600_000
    /// Milliseconds: so long it is known that a code was one.
    private static let codeMemory: Int64 = 24 * 3_600_000

    mutating func sendCode() throws -> AccountAnswer {
        guard let word = try body.words("requestType"), word != "OOB_REQ_TYPE_UNSPECIFIED" else {
            throw AccountRefusal("MISSING_REQ_TYPE")
        }
        guard let kind = CodeRequest(rawValue: word) else { throw AccountRefusal("INVALID_REQ_TYPE") }
        let returnsLink = try body.truth("returnOobLink") ?? false
        guard !returnsLink || request.isAdministrator else { throw AccountRefusal.insufficient }
        if let url = try body.words("continueUrl"), !AccountRules.isAbsolute(url) {
            throw AccountRefusal("INVALID_CONTINUE_URI")
        }
        let (email, account) = try recipient(of: kind, byAdministrator: returnsLink && !body.has("idToken"))
        var newEmail: String?
        if kind == .verifyAndChangeEmail {
            let wanted = try checked(email: try body.words("newEmail") ?? "")
            if try !policy().hidesEmails || request.isAdministrator { try checkFree(email: wanted) }
            newEmail = wanted
        }
        let issued = try issue(kind, to: email, newEmail: newEmail, account: account)
        var answer = AccountAnswer([
            "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email),
        ])
        if returnsLink {
            answer.body["oobCode"] = .string(issued.code)
            answer.body["oobLink"] = .string(issued.link)
        } else if account != nil || kind == .emailSignIn {
            answer.code = issued
        }
        return answer
    }

    /// Where the code goes, and whose account it is for; that may be nobody's.
    private func recipient(
        of kind: CodeRequest, byAdministrator: Bool
    ) throws -> (email: String, account: Account?) {
        switch kind {
        case .emailSignIn, .passwordReset:
            let policy = try policy()
            if kind == .emailSignIn, !policy.allowsEmailLinks { throw AccountRefusal.notAllowed }
            guard let text = try body.words("email") else { throw AccountRefusal.missingEmail }
            let email = try checked(email: text)
            let account = try book.account(email: email)
            if kind == .passwordReset, account == nil, !policy.hidesEmails || byAdministrator {
                throw AccountRefusal("EMAIL_NOT_FOUND")
            }
            return (email, account)
        case .verifyEmail, .verifyAndChangeEmail:
            if kind == .verifyAndChangeEmail, try body.words("newEmail") == nil {
                throw AccountRefusal("MISSING_NEW_EMAIL")
            }
            guard byAdministrator else {
                if try body.words("idToken") == nil, kind == .verifyAndChangeEmail {
                    throw AccountRefusal.missingIDToken
                }
                let (account, _, claims) = try bearer()
                if kind == .verifyAndChangeEmail { try checkRecent(claims) }
                guard let email = account.email else { throw AccountRefusal.missingEmail }
                return (email, account)
            }
            guard let text = try body.words("email") else { throw AccountRefusal.missingEmail }
            let email = try checked(email: text)
            guard let account = try book.account(email: email) else { throw AccountRefusal.userNotFound }
            return (email, account)
        }
    }

    private mutating func issue(
        _ kind: CodeRequest, to email: String, newEmail: String?, account: Account?
    ) throws -> IssuedCode {
        try book.removeCodes(endedBefore: now - AccountRules.codeMemory)
        let code = Secret.make(using: &random)
        let stored = OneTimeCode(
            request: kind, email: email, newEmail: newEmail, account: account?.id, ends: now + AccountRules.codeLife)
        try book.put(stored, hash: Secret.hash(code))
        var link = "\(request.linkBase)?mode=\(kind.mode)&lang=en&oobCode=\(code)&apiKey=any"
        if let url = try body.words("continueUrl") { link += "&continueUrl=\(PercentEncoding.encoded(url))" }
        return IssuedCode(request: kind, email: email, newEmail: newEmail, code: code, link: link)
    }

    /// The code that the call shows. Throws where it is none, or no longer one.
    private func shownCode() throws -> OneTimeCode {
        guard let code = try body.words("oobCode") else { throw AccountRefusal("MISSING_OOB_CODE") }
        guard let stored = try book.code(hash: Secret.hash(code)) else { throw AccountRefusal.invalidCode }
        guard now < stored.ends else { throw AccountRefusal("EXPIRED_OOB_CODE") }
        return stored
    }

    /// Uses the code up, and returns whose it was, as long as that account still has the code's address.
    private func redeem(_ stored: OneTimeCode) throws -> Account {
        try book.removeCode(hash: Secret.hash(try body.words("oobCode") ?? ""))
        guard let id = stored.account, let account = try book.account(id: id), account.email == stored.email else {
            throw AccountRefusal.invalidCode
        }
        guard !account.isDisabled else { throw AccountRefusal.userDisabled }
        return account
    }

    mutating func resetPassword() throws -> AccountAnswer {
        guard try policy().allowsPasswords else { throw AccountRefusal("PASSWORD_LOGIN_DISABLED") }
        let stored = try shownCode()
        var answer = AccountAnswer([
            "kind": "identitytoolkit#ResetPasswordResponse", "requestType": .string(stored.request.rawValue),
        ])
        // Whoever finds a link to sign in must not learn for which address it is.
        if stored.request != .emailSignIn { answer.body["email"] = .string(stored.email) }
        if let email = stored.newEmail { answer.body["newEmail"] = .string(email) }
        guard let password = try body.words("newPassword") else { return answer }
        guard stored.request == .passwordReset else { throw AccountRefusal.invalidCode }
        let hash = try hash(of: password)
        var account = try redeem(stored)
        account.password = hash
        account.passwordUpdatedAt = now
        account.isEmailVerified = true
        account.endSessions(now: now)
        try book.removeCodes(ofAccount: account.id)
        try book.put(account)
        answer.endsSessions = true
        return answer
    }

    /// Does what a code was sent for that changes an account.
    mutating func apply() throws -> AccountAnswer {
        let stored = try shownCode()
        guard stored.request == .verifyEmail || stored.request == .verifyAndChangeEmail else {
            throw AccountRefusal.invalidCode
        }
        var account = try redeem(stored)
        account.isEmailVerified = true
        if let email = stored.newEmail {
            if email != account.email { try checkFree(email: email) }
            account.email = email
            account.endSessions(now: now)
            try book.removeCodes(ofAccount: account.id)
        }
        try book.put(account)
        var answer = AccountAnswer(AccountRules.changed(account))
        answer.endsSessions = stored.newEmail != nil
        return answer
    }

    mutating func signInWithEmailLink() throws -> AccountAnswer {
        let policy = try policy()
        guard policy.allowsEmailLinks else { throw AccountRefusal.notAllowed }
        let bearer = try body.words("idToken") == nil ? nil : bearer().account
        guard let text = try body.words("email") else { throw AccountRefusal.missingEmail }
        let email = try checked(email: text)
        let stored = try shownCode()
        guard stored.request == .emailSignIn else { throw AccountRefusal.invalidCode }
        guard stored.email == email else {
            throw AccountRefusal("INVALID_EMAIL : The email provided does not match the sign-in email address.")
        }
        try book.removeCode(hash: Secret.hash(try body.words("oobCode") ?? ""))
        let owner = try book.account(email: email)
        if let bearer, let owner, bearer.id != owner.id { throw AccountRefusal.emailExists }
        guard owner?.isDisabled != true else { throw AccountRefusal.userDisabled }
        let known = bearer ?? owner
        guard known != nil || policy.allowsSignUp else { throw AccountRefusal("ADMIN_ONLY_OPERATION") }
        var account = known ?? Account(id: Secret.accountID(using: &random), now: now)
        // An address that nobody had proved may have been taken by a stranger, who must keep no way in: no password, no
        // session, and no code that would move the account to another address.
        let isClaimed = bearer == nil && owner?.isEmailVerified == false
        if isClaimed {
            account.password = nil
            try book.removeCodes(ofAccount: account.id)
        }
        let endsSessions = isClaimed || known != nil && account.email != email
        if endsSessions { account.endSessions(now: now) }
        account.email = email
        account.isEmailVerified = true
        account.hasEmailLink = true
        var answer = AccountAnswer([
            "kind": "identitytoolkit#EmailLinkSigninResponse", "email": .string(email),
            "localId": .string(account.id), "isNewUser": .bool(known == nil),
        ])
        answer.endsSessions = endsSessions
        try signIn(&account, by: "password", into: &answer)
        return answer
    }

    /// Whether `url` names a scheme and a host.
    private static func isAbsolute(_ url: String) -> Bool {
        guard let mark = url.firstRange(of: "://") else { return false }
        let scheme = url[..<mark.lowerBound]
        return !scheme.isEmpty && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
            && url[mark.upperBound...].first.map { $0 != "/" } == true
    }
}
