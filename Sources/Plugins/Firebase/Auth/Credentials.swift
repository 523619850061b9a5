internal import SyncModel

/// The credential of one remote, turned into what requests carry.
struct Credentials: Sendable {
    private let credential: FirebaseCredential
    private let tokens: AccessTokens?

    /// - Parameter tokens: where a service account's tokens come from, or a person's; nil for every other credential.
    init(_ credential: FirebaseCredential, tokens: AccessTokens?) {
        self.credential = credential
        self.tokens = tokens
    }

    /// Whether whoever sees a request could misuse it.
    var isSecret: Bool { credential.isSecret }

    /// - Throws: where a token is needed and none can be had.
    func proof() async throws -> Proof {
        switch credential {
        case .none: return Proof()
        case .emulator: return Proof(authorization: "Bearer owner")
        case .administrator(let token, let override):
            return Proof(authorization: "Bearer \(token)", query: Credentials.query(override))
        case .secret(let text), .idToken(let text): return Proof(query: [.init("auth", text)])
        case .serviceAccount, .person:
            guard let tokens else { return Proof() }
            return proof(of: try await tokens.token())
        }
    }

    /// What a request to the storage of pictures carries as `Authorization`; nil where nobody is signed in.
    func storageAuthorization(_ proof: Proof) -> String? {
        switch credential {
        case .none, .emulator, .administrator, .serviceAccount: proof.authorization
        case .secret(let secret): "Bearer \(secret)"
        case .idToken(let token): "Firebase \(token)"
        case .person: proof.token.map { "Firebase \($0.text)" }
        }
    }

    /// What `send` answers: at its second attempt, with a new proof, where the first has failed in one of these ways and a new
    /// one may be better.
    ///
    /// - Throws: what `send` throws, for an answer with 401 as ``RemoteError/status(_:_:words:at:)`` says; what ``proof()``
    ///   throws.
    func proven<Answer>(
        renewingAfter codes: Set<RemoteError.Code> = [.unauthorized], _ send: (Proof) async throws -> Answer,
        whenRenewed: () -> Void = {}
    ) async throws -> Answer {
        let proof = try await proof()
        do {
            return try await send(proof)
        } catch let error as RemoteError where codes.contains(error.code) {
            guard let renewed = try await self.proof(after: proof) else { throw error }
            whenRenewed()
            return try await send(renewed)
        }
    }

    private func proof(after refused: Proof) async throws -> Proof? {
        guard let tokens, let token = refused.token else { return nil }
        return try await tokens.token(after: token).map(self.proof)
    }

    /// The server said that this proof counts no more.
    func forget(_ revoked: Proof) async {
        if let token = revoked.token { await tokens?.forget(token) }
    }

    /// `text` of a server without the secrets that it may repeat.
    func redacted(_ text: String, _ proof: Proof?) -> String {
        var secrets: [String] = []
        switch credential {
        case .secret(let secret), .idToken(let secret), .administrator(let secret, _):
            secrets = [secret]
        case .serviceAccount, .person: secrets = [proof?.token?.text].compactMap(\.self)
        case .none, .emulator: break
        }
        return text.without(secrets)
    }

    func cancel() async { await tokens?.cancel() }

    private func proof(of token: AccessToken) -> Proof {
        if case .person = credential { return Proof(query: [.init("auth", token.text)], token: token) }
        var proof = Proof(authorization: "Bearer \(token.text)", token: token)
        if case .serviceAccount(_, let override) = credential { proof.query = Credentials.query(override) }
        return proof
    }

    private static func query(_ override: String?) -> [DatabaseLocation.QueryItem] {
        override.map { [.init("auth_variable_override", $0)] } ?? []
    }
}
