import CryptoExtras
import Firebase
import JWTKit
import Synchronization
import TestSupport
import Testing

/// The key pair of a made-up service account.
struct ServiceKey: Sendable {
    let privatePEM: String
    let publicPEM: String

    /// One pair for all tests: making one takes a moment.
    static let shared = Result { try ServiceKey() }

    private init() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        privatePEM = key.pemRepresentation
        publicPEM = key.publicKey.pemRepresentation
    }

    /// The key file that Google's console would give out, whose tokens come from `url`.
    func file(tokensFrom url: String) -> [UInt8] {
        let pem = privatePEM.split(separator: "\n").joined(separator: "\\n")
        return Array(
            #"{"type":"service_account","client_email":"sync@example.test","private_key_id":"k1","private_key":"\#(pem)\n","token_uri":"\#(url)/token"}"#
                .utf8)
    }
}

/// What a service account claims when it asks for a token.
struct TokenClaims: JWTPayload, Equatable {
    var iss: String
    var scope: String
    var aud: String
    var iat: Int
    var exp: Int

    func verify(using algorithm: some JWTAlgorithm) throws {}

    /// The claims of a token request's form, if they are signed with `key`.
    init(form: String, signedBy key: ServiceKey) async throws {
        let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        try #require(form.hasPrefix(prefix))
        let keys = JWTKeyCollection()
        await keys.add(rsa: try Insecure.RSA.PublicKey(pem: key.publicPEM), digestAlgorithm: .sha256, kid: "k1")
        self = try await keys.verify(String(form.dropFirst(prefix.count)), as: TokenClaims.self)
    }
}

/// Gives out the tokens t1, t2, … at `/token`; everything else is a database's.
final class TokenService: Sendable {
    private let given = Mutex(0)
    private let (first, later): (Int, Int)

    /// - Parameters:
    ///   - lifetime: of the first token, seconds.
    ///   - later: of the others; as long where nothing is said.
    init(lifetime: Int = 3600, later: Int? = nil) { (first, self.later) = (lifetime, later ?? lifetime) }

    var count: Int { given.withLock { $0 } }

    func reply(on line: ScriptedServer.Line) async throws {
        let number = given.withLock { count in
            count += 1
            return count
        }
        let lifetime = number == 1 ? first : later
        try await line.reply(
            200, [:], #"{"access_token":"t\#(number)","expires_in":\#(lifetime),"token_type":"Bearer"}"#)
    }
}

/// Runs `body` with a remote that uses a service account of a server that follows `script` and gives out tokens.
func withServiceAccount(
    _ tokens: TokenService, _ script: @escaping ScriptedServer.Script,
    _ body: (FirebaseRemote, ScriptedServer) async throws -> Void
) async throws {
    let key = try ServiceKey.shared.get()
    try await withServer { request, line in
        if request.path == "/token" { return try await tokens.reply(on: line) }
        try await script(request, line)
    } _: { server in
        let credential = FirebaseCredential.serviceAccount(json: key.file(tokensFrom: server.url))
        try await withRemote(server.url, { $0.credential = credential }) { try await body($0, server) }
    }
}
