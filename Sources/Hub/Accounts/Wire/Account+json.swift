package import SyncModel

/// An account as Identity Toolkit shows it, which is also how it is stored and exported.
extension Account {
    /// - Parameter withHash: whether all of the hash is shown; else it is only told that there is one.
    package func shown(withHash: Bool) -> [String: JSONValue] {
        var body: [String: JSONValue] = [
            "localId": .string(id), "createdAt": .string(String(createdAt)), "validSince": .string(String(validSince)),
            "emailVerified": .bool(isEmailVerified), "disabled": .bool(isDisabled),
        ]
        body["email"] = email.map { .string($0) }
        body["displayName"] = displayName.map { .string($0) }
        body["photoUrl"] = photoURL.map { .string($0) }
        body["phoneNumber"] = phoneNumber.map { .string($0) }
        body["customAttributes"] = customAttributes.map { .string($0) }
        body["lastLoginAt"] = lastLoginAt.map { .string(String($0)) }
        body["lastRefreshAt"] = lastRefreshAt.map { .string(RFC3339.text(UInt64(clamping: $0))) }
        body["passwordUpdatedAt"] = passwordUpdatedAt.map { .integer($0) }
        if isCustom { body["customAuth"] = true }
        if hasEmailLink { body["emailLinkSignin"] = true }
        let providers = shownProviders
        if !providers.isEmpty { body["providerUserInfo"] = .array(providers) }
        guard let password else { return body }
        // The word that the service shows in place of a hash.
        body["passwordHash"] = withHash ? .string(Secret.base64(password.key)) : "UkVEQUNURUQ="
        if withHash { body["salt"] = .string(Secret.base64(password.salt)) }
        return body
    }

    private var shownProviders: [JSONValue] {
        var providers: [JSONValue] = []
        if let email, password != nil || hasEmailLink {
            var own: [String: JSONValue] = [
                "providerId": "password", "email": .string(email), "federatedId": .string(email),
                "rawId": .string(email),
            ]
            own["displayName"] = displayName.map { .string($0) }
            own["photoUrl"] = photoURL.map { .string($0) }
            providers.append(.object(own))
        }
        if let phoneNumber {
            providers.append([
                "providerId": "phone", "phoneNumber": .string(phoneNumber), "rawId": .string(phoneNumber),
            ])
        }
        return providers + otherProviders
    }

    /// All that is known, to be read again by ``init(stored:)``.
    package var stored: [String: JSONValue] {
        var body = shown(withHash: true)
        body["lastIssuedAt"] = .integer(lastIssuedAt)
        body["hash"] = password?.method.json
        return body
    }

    /// Nil where it is not what ``stored`` has made.
    package init?(stored members: [String: JSONValue]) {
        let body = AccountBody(members)
        guard let id = try? body.words("localId"), let created = try? body.whole("createdAt") else { return nil }
        self.init(id: id, now: created)
        do {
            try read(body)
            validSince = try body.whole("validSince") ?? validSince
            lastIssuedAt = try body.whole("lastIssuedAt") ?? 0
            if let method = try body.object("hash").flatMap(PasswordHash.Method.init(json:)) {
                password = AccountImport.hash(method, body)
            }
        } catch {
            return nil
        }
    }

    /// Takes over what an account says of itself, but for its password.
    mutating func read(_ body: AccountBody) throws(AccountRefusal) {
        email = try body.words("email")?.lowercased()
        isEmailVerified = try body.truth("emailVerified") ?? false
        displayName = try body.words("displayName")
        photoURL = try body.words("photoUrl")
        phoneNumber = try body.words("phoneNumber")
        isDisabled = try body.truth("disabled") ?? false
        customAttributes = try body.words("customAttributes")
        // The name in files that Firebase's own tool exports.
        lastLoginAt = try body.whole("lastLoginAt", or: "lastSignedInAt")
        let refreshed = try body.text("lastRefreshAt") ?? ""
        lastRefreshAt = RFC3339.milliseconds(refreshed).map { Int64(clamping: $0) }
        passwordUpdatedAt = try body.whole("passwordUpdatedAt")
        isCustom = try body.truth("customAuth") ?? false
        hasEmailLink = try body.truth("emailLinkSignin") ?? false
        if case .array(let providers)? = body["providerUserInfo"] {
            otherProviders = providers.filter {
                !["password", "phone"].contains($0.members?["providerId"]?.text ?? "password")
            }
        }
    }
}

extension AccountPolicy {
    /// As the service shows the configuration of a project.
    package func shown(project: String) -> [String: JSONValue] {
        [
            "name": .string("projects/\(project)/config"),
            "signIn": [
                "email": ["enabled": .bool(allowsPasswords), "passwordRequired": .bool(!allowsEmailLinks)],
                "anonymous": ["enabled": .bool(allowsAnonymous)], "allowDuplicateEmails": false,
            ],
            "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(hidesEmails)],
            "client": [
                "permissions": [
                    "disabledUserSignup": .bool(!allowsSignUp), "disabledUserDeletion": .bool(!allowsDeletion),
                ]
            ],
        ]
    }
}
