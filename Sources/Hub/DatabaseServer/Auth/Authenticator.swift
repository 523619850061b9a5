internal import DatabaseTree
internal import JSONText
internal import SyncModel

/// Decides who sends a request.
///
/// A secret makes an administrator, and so does `owner` for an emulator. Everything else must be an ID token that is
/// signed with a known key or by the server's own accounts, or for an emulator not at all. An administrator can give up
/// the rights by naming the `auth` to be.
final class Authenticator: Sendable {
    private let secret: AdminSecret?
    private let ownSecret: AdminSecret?
    private let keys: TokenKeys?
    private let project: String?
    private let isEmulator: Bool
    private let accounts: AccountDesk?
    private let wallClock: @Sendable () -> Int64
    private let verified = VerifiedTokens()

    /// - Parameter wallClock: milliseconds since 1970.
    init(_ options: ServerConfiguration, accounts: AccountDesk? = nil, wallClock: @escaping @Sendable () -> Int64) {
        secret = options.secret
        ownSecret = options.ownSecret
        keys = options.tokenKeys
        project = options.project
        isEmulator = options.isEmulator
        self.accounts = accounts
        self.wallClock = wallClock
    }

    /// Whether people can be administrators by a secret.
    var hasSecret: Bool { secret != nil }

    /// Whether people can be administrators at all.
    var hasAdministrators: Bool { hasSecret || isEmulator }

    /// Throws a refusal with status 401 where the credential can't be verified, and 400 where the override is no JSON.
    func identity(of credential: Credential) async throws(Refusal) -> Identity {
        guard let token = credential.token else {
            guard credential.override == nil else { throw .unauthorized }
            return .nobody
        }
        // First of all, as it is the case that costs least and comes most.
        let known = try remembered(token)
        guard known == nil, isAdministrator(token) else {
            guard credential.override == nil else { throw .unauthorized }
            if let known { return known }
            return try await identity(of: token)
        }
        guard let override = credential.override else { return Identity(principal: .administrator) }
        switch try? JSONReader.value(Array(override.utf8)) {
        case .null?: return .nobody
        case .object(let auth)?: return Identity(principal: .client(auth: .object(auth)))
        default: throw .badRequest("auth_variable_override must be a JSON object or null")
        }
    }

    /// Whether it has a secret that nobody can guess, which an emulator's token is not.
    func knowSecret(_ credential: Credential) -> Bool {
        guard let token = credential.token else { return false }
        return [secret, ownSecret].contains { $0?.matches(token) == true }
    }

    private func isAdministrator(_ token: String) -> Bool {
        if isEmulator, token == "owner" { return true }
        return knowSecret(Credential(token: token))
    }

    private func remembered(_ token: String) throws(Refusal) -> Identity? {
        if let accounts { verified.forgetAll(unlessIn: accounts.revocation) }
        guard let known = verified.identity(of: token) else { return nil }
        guard let expires = known.expires, wallClock() >= expires else { return known }
        verified.forget(token)
        throw .expiredToken
    }

    private func identity(of token: String) async throws(Refusal) -> Identity {
        guard let parsed = IDToken(token) else { throw .unreadableToken }
        if let accounts, let key = accounts.keys.verifier(of: parsed, now: wallClock()) {
            return try await identity(of: token, parsed, of: accounts, by: key)
        }
        let isUnsigned = isEmulator && parsed.algorithm == "none" && parsed.signature.isEmpty
        if !isUnsigned {
            guard let keys, await keys.verify(parsed) else { throw .unreadableToken }
        }
        var identity = try parsed.identity(now: wallClock(), project: project, mayLackExpiry: isUnsigned)
        identity.isAnybodys = isUnsigned
        verified.remember(identity, of: token)
        return identity
    }

    /// Whom a token of the server's own accounts is for, as long as that user has not ended its sessions.
    private func identity(
        of token: String, _ parsed: IDToken, of accounts: AccountDesk, by key: TokenKeys
    ) async throws(Refusal) -> Identity {
        guard await key.verify(parsed) else { throw .unreadableToken }
        var identity = try parsed.identity(now: wallClock(), project: accounts.neededProject, mayLackExpiry: false)
        identity.isAnybodys = true
        // Looked at before the account: what is revoked meanwhile is forgotten again.
        let revocation = accounts.revocation
        guard await accounts.accepts(parsed) else { throw .expiredToken }
        verified.remember(identity, of: token, in: revocation)
        return identity
    }
}
