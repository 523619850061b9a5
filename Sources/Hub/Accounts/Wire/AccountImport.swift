package import SyncModel

/// Accounts that come from elsewhere.
package struct AccountImport: Sendable {
    private let hashing: ImportedHashing
    private let now: Int64

    init(hashing: ImportedHashing, now: Int64) {
        self.hashing = hashing
        self.now = now
    }

    /// The account of one row. Throws what is wrong with it.
    func account(_ user: AccountBody, rules: AccountRules) throws(AccountRefusal) -> Account {
        guard let id = try user.words("localId") else { throw AccountRefusal("localId is missing") }
        guard Account.canHave(id: id) else { throw AccountRefusal("localId is too long") }
        guard try user.words("rawPassword") == nil else {
            throw AccountRefusal("rawPassword is not supported: create the account, or set its password")
        }
        var account = Account(id: id, now: now)
        try account.read(user)
        if let email = try user.words("email") {
            guard let checked = try? rules.checked(email: email) else { throw AccountRefusal("email is invalid") }
            account.email = checked
        }
        if let phone = account.phoneNumber, !phone.hasPrefix("+") {
            throw AccountRefusal("phone number format is invalid")
        }
        if let claims = account.customAttributes { try rules.check(customAttributes: claims) }
        if let created = try user.whole("createdAt") { account.createdAt = created }
        account.password = try hashing.hash(of: user)
        return account
    }

    /// What a row's refusal is called in the list of errors.
    static func message(_ refusal: AccountRefusal) -> String {
        if refusal.message == "INVALID_CLAIMS" { return "Invalid custom claims provided." }
        if refusal.message == "CLAIMS_TOO_LARGE" { return "Custom claims provided are too large." }
        if refusal.message.hasPrefix("FORBIDDEN_CLAIM") { return "Custom claims provided include a reserved claim." }
        return refusal.message
    }

    /// The hash in a row that was made by `method`; nil where it has none.
    static func hash(_ method: PasswordHash.Method, _ user: AccountBody) -> PasswordHash? {
        guard let key = user["passwordHash"]?.text.flatMap(Secret.bytes(base64:)), !key.isEmpty else { return nil }
        let salt = user["salt"]?.text.flatMap(Secret.bytes(base64:)) ?? []
        return PasswordHash(method: method, salt: salt, key: key)
    }
}

/// How the passwords of imported accounts were hashed.
struct ImportedHashing: Sendable {
    /// Nil where nobody here can try a password: then it has to be reset.
    let method: PasswordHash.Method?

    /// Reads what a call, or a file, says of all its accounts. Throws where the parameters of a known method are wrong.
    init(_ body: AccountBody) throws(AccountRefusal) {
        let invalid = AccountRefusal("INVALID_HASH_PARAMETERS")
        switch try body.words("hashAlgorithm") {
        case "STANDARD_SCRYPT"?:
            method = .scrypt(
                cost: Int(clamping: try body.whole("cpuMemCost", or: "memoryCost") ?? 0),
                blockSize: Int(clamping: try body.whole("blockSize") ?? 8),
                parallelism: Int(clamping: try body.whole("parallelization") ?? 1))
        case "SCRYPT"?:
            guard let text = try body.words("signerKey"), let signer = Secret.bytes(base64: text), !signer.isEmpty
            else {
                throw AccountRefusal("MISSING_SIGNER_KEY")
            }
            let separator = try body.text("saltSeparator") ?? ""
            method = .firebase(
                signerKey: signer, separator: Secret.bytes(base64: separator) ?? [],
                rounds: Int(clamping: try body.whole("rounds") ?? 8),
                memoryCost: Int(clamping: try body.whole("memoryCost") ?? 14))
        default: method = nil
        }
        if let method, !method.isBearable { throw invalid }
    }

    func hash(of user: AccountBody) throws(AccountRefusal) -> PasswordHash? {
        let own = try user.object("hash")
        guard let method = own.map(PasswordHash.Method.init(json:)) ?? method, method.isBearable else { return nil }
        return AccountImport.hash(method, user)
    }
}

extension PasswordHash.Method {
    /// With the names that imports have for it.
    package var json: JSONValue {
        switch self {
        case .scrypt(let cost, let blockSize, let parallelism):
            [
                "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": .integer(Int64(cost)),
                "blockSize": .integer(Int64(blockSize)), "parallelization": .integer(Int64(parallelism)),
                "dkLen": .integer(Int64(PasswordHash.Method.keySize)),
            ]
        case .firebase(let signerKey, let separator, let rounds, let memoryCost):
            [
                "hashAlgorithm": "SCRYPT", "signerKey": .string(Secret.base64(signerKey)),
                "saltSeparator": .string(Secret.base64(separator)), "rounds": .integer(Int64(rounds)),
                "memoryCost": .integer(Int64(memoryCost)),
            ]
        }
    }

    init?(json: AccountBody) {
        guard let method = try? ImportedHashing(json).method else { return nil }
        self = method
    }
}
