internal import FoundationEssentials
internal import JWTKit
internal import PluginKit
internal import SyncModel

/// A service account's key file, understood, and the requests for access tokens that it signs.
struct ServiceAccount: Sendable {
    private struct KeyFile: Decodable {
        var client_email: String?
        var private_key: String?
        var private_key_id: String?
        var token_uri: String?
    }

    private struct Claims: JWTPayload {
        var iss: String
        var scope: String
        var aud: String
        var iat: Int
        var exp: Int

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private static let scope =
        "https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/firebase.database"
    private static let storageScope =
        " https://www.googleapis.com/auth/firebase https://www.googleapis.com/auth/devstorage.read_write"

    /// Where tokens are asked for.
    let tokenURL: String
    private let email: String
    private let key: Insecure.RSA.PrivateKey
    private let keyID: JWKIdentifier?
    private let scope: String

    /// - Parameter storesPictures: whether its tokens are for a storage too.
    init(json: [UInt8], storesPictures: Bool = false) throws(RemoteSettingsError) {
        guard let file = try? JSONDecoder().decode(KeyFile.self, from: Data(json)) else {
            throw ServiceAccount.invalid("it is not the JSON object that Google's console gives out")
        }
        guard let email = file.client_email, !email.isEmpty else {
            throw ServiceAccount.invalid("client_email is missing")
        }
        guard let pem = file.private_key else { throw ServiceAccount.invalid("private_key is missing") }
        guard let key = try? Insecure.RSA.PrivateKey(pem: pem) else {
            throw ServiceAccount.invalid("private_key is no RSA key in PEM form")
        }
        tokenURL = file.token_uri ?? "https://oauth2.googleapis.com/token"
        guard tokenURL.hasPrefix("https://") || tokenURL.hasPrefix("http://127.0.0.1:") else {
            throw ServiceAccount.invalid("token_uri is no https address")
        }
        guard ServerPort.isUsable(in: tokenURL) else {
            throw ServiceAccount.invalid("token_uri has a port that there is not")
        }
        scope = ServiceAccount.scope + (storesPictures ? ServiceAccount.storageScope : "")
        self.email = email
        self.key = key
        keyID = file.private_key_id.map { JWKIdentifier(string: $0) }
    }

    private static func invalid(_ reason: String) -> RemoteSettingsError {
        RemoteSettingsError("the key of the service account is not usable: \(reason); download a new one")
    }

    /// The signed form (RFC 7523) that the token endpoint gives a token for. Valid for an hour from `now`, which is
    /// in seconds since 1970.
    func tokenRequest(now: Int) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(rsa: key, digestAlgorithm: .sha256, kid: keyID)
        let claims = Claims(iss: email, scope: scope, aud: tokenURL, iat: now, exp: now + 3600)
        let assertion = try await keys.sign(claims, kid: keyID)
        return "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
    }
}
