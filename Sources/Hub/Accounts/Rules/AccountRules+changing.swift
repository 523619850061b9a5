internal import SyncModel

/// What users and administrators see and change of an account.
extension AccountRules {
    func lookup() throws -> AccountAnswer {
        var users: [JSONValue] = []
        if request.isAdministrator, !body.has("idToken") {
            var seen: Set<String> = []
            for account in try wanted() where seen.insert(account.id).inserted {
                users.append(.object(account.shown(withHash: true)))
            }
        } else {
            guard try body.words("idToken") != nil else { throw AccountRefusal.missingIDToken }
            users.append(.object(try bearer().account.shown(withHash: false)))
        }
        var answer = AccountAnswer(["kind": "identitytoolkit#GetAccountInfoResponse"])
        // Clients take an empty list for a mistake.
        if !users.isEmpty { answer.body["users"] = .array(users) }
        return answer
    }

    /// The accounts that an administrator asks for; those that are not there are left out.
    private func wanted() throws -> [Account] {
        let (ids, emails, phones) = try (body.texts("localId"), body.texts("email"), body.texts("phoneNumber"))
        guard ids.count + emails.count + phones.count <= 1000 else {
            throw AccountRefusal("LOCAL_ID_LIST_EXCEEDS_LIMIT")
        }
        var found = try ids.compactMap { try book.account(id: $0) }
        found += try emails.compactMap { try book.account(email: $0.lowercased()) }
        found += try phones.compactMap { try book.account(phoneNumber: $0) }
        return found
    }

    func delete() throws -> AccountAnswer {
        let id: String
        if request.isAdministrator, !body.has("idToken") {
            guard let wanted = try body.words("localId") else { throw AccountRefusal.missingLocalID }
            guard try book.account(id: wanted) != nil else { throw AccountRefusal.userNotFound }
            id = wanted
        } else {
            guard try body.words("idToken") != nil else { throw AccountRefusal.missingIDToken }
            let (account, _, claims) = try bearer()
            guard try policy().allowsDeletion else { throw AccountRefusal("ADMIN_ONLY_OPERATION") }
            try checkRecent(claims)
            id = account.id
        }
        try book.removeAccount(id: id)
        var answer = AccountAnswer(["kind": "identitytoolkit#DeleteAccountResponse"])
        answer.endsSessions = true
        return answer
    }

    mutating func update() throws -> AccountAnswer {
        if try body.words("oobCode") != nil { return try apply() }
        let hasToken = try body.words("idToken") != nil
        if !request.isAdministrator {
            guard hasToken else { throw AccountRefusal("INVALID_REQ_TYPE : Unsupported request parameters.") }
            guard !body.has("customAttributes") else { throw AccountRefusal.insufficient }
        } else if !hasToken, try body.words("localId") == nil {
            throw AccountRefusal.missingLocalID
        }
        if let claims = try body.words("customAttributes") { try check(customAttributes: claims) }
        var provider: String?
        var account: Account
        if hasToken {
            let bearer = try bearer()
            guard !body.has("disableUser") else { throw AccountRefusal.notAllowed }
            (account, provider) = (bearer.account, bearer.provider)
            if changesSignIn { try checkRecent(bearer.claims) }
        } else {
            guard let found = try book.account(id: try body.words("localId") ?? "") else {
                throw AccountRefusal.userNotFound
            }
            account = found
        }
        return try change(&account, by: provider)
    }

    /// Whether the call changes what one signs in with.
    private var changesSignIn: Bool { body.has("email") || body.has("password") || body.has("deleteProvider") }

    /// - Parameter provider: how the user was signed in who changes the own account; nil for an administrator.
    private mutating func change(_ account: inout Account, by provider: String?) throws -> AccountAnswer {
        let before = account
        var provider = provider
        if let text = try body.words("email") {
            let email = try checked(email: text)
            if email != account.email {
                try checkFree(email: email)
                account.email = email
                account.isEmailVerified = false
            }
        }
        if let password = try body.words("password") {
            account.password = try hash(of: password)
            account.passwordUpdatedAt = now
            if provider != nil { provider = "password" }
        }
        if let name = try body.text("displayName") { account.displayName = name.isEmpty ? nil : name }
        if let photo = try body.text("photoUrl") { account.photoURL = photo.isEmpty ? nil : photo }
        if request.isAdministrator { try administer(&account) }
        try deleteParts(of: &account)
        let changesSignIn = account.email != before.email || account.password != before.password
        if changesSignIn {
            account.endSessions(now: now)
            try book.removeCodes(ofAccount: account.id)
        }
        var answer = AccountAnswer(AccountRules.changed(account))
        answer.endsSessions = account.validSince != before.validSince || account.isDisabled != before.isDisabled
        if changesSignIn, let provider {
            try signIn(&account, by: provider, into: &answer)
        } else {
            try book.put(account)
        }
        return answer
    }

    /// What only an administrator may change.
    private func administer(_ account: inout Account) throws {
        if let phone = try body.words("phoneNumber"), phone != account.phoneNumber {
            account.phoneNumber = try checkedFree(phone: phone)
        }
        if let isDisabled = try body.truth("disableUser") { account.isDisabled = isDisabled }
        if let isVerified = try body.truth("emailVerified") { account.isEmailVerified = isVerified }
        if let claims = try body.text("customAttributes") {
            account.customAttributes = claims.isEmpty || claims == "{}" ? nil : claims
        }
        if let created = try body.whole("createdAt") { account.createdAt = created }
        if let last = try body.whole("lastLoginAt") { account.lastLoginAt = last }
        if let second = try body.whole("validSince") { account.endSessions(asOf: second) }
    }

    private func deleteParts(of account: inout Account) throws {
        for part in try body.texts("deleteAttribute") {
            switch part {
            case "DISPLAY_NAME": account.displayName = nil
            case "PHOTO_URL": account.photoURL = nil
            case "PASSWORD": account.password = nil
            case "EMAIL": account.forgetEmail()
            default: throw AccountRefusal("INVALID_REQ_TYPE : Unsupported request parameters.")
            }
        }
        for provider in try body.texts("deleteProvider") {
            switch provider {
            case "password":
                account.forgetEmail()
                account.password = nil
            case "phone": account.phoneNumber = nil
            default: account.otherProviders.removeAll { $0.members?["providerId"]?.text == provider }
            }
        }
    }

    static func changed(_ account: Account) -> [String: JSONValue] {
        let names = ["localId", "email", "emailVerified", "displayName", "photoUrl", "providerUserInfo"]
        var body = account.shown(withHash: false).filter { names.contains($0.key) }
        body["kind"] = "identitytoolkit#SetAccountInfoResponse"
        return body
    }

    func createAuthURI() throws -> AccountAnswer {
        guard try body.words("providerId") == nil else { throw AccountRefusal.notAllowed }
        guard let identifier = try body.words("identifier") else { throw AccountRefusal("MISSING_IDENTIFIER") }
        guard let uri = try body.words("continueUri") else { throw AccountRefusal("MISSING_CONTINUE_URI") }
        guard let email = try? checked(email: identifier) else { throw AccountRefusal("INVALID_IDENTIFIER") }
        guard uri.contains("://") else { throw AccountRefusal("INVALID_CONTINUE_URI") }
        var answer = AccountAnswer(["kind": "identitytoolkit#CreateAuthUriResponse"])
        answer.body["sessionId"] = try body.text("sessionId").map { .string($0) }
        guard try !policy().hidesEmails else { return answer }
        let account = try book.account(email: email)
        var methods: [JSONValue] = []
        if account?.password != nil { methods.append("password") }
        if account?.hasEmailLink == true { methods.append("emailLink") }
        answer.body["registered"] = .bool(account != nil)
        answer.body["allProviders"] = methods.isEmpty ? [] : ["password"]
        answer.body["signinMethods"] = .array(methods)
        return answer
    }
}

extension Account {
    fileprivate mutating func forgetEmail() {
        email = nil
        isEmailVerified = false
        hasEmailLink = false
    }
}
