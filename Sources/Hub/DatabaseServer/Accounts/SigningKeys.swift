internal import Accounts
internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import JSONText
internal import OperatingSystem
internal import SyncModel
internal import Synchronization

/// The keys that the hub signs ID tokens with: the newest one signs, older ones are good for a while longer.
///
/// They stand in a file of mode 0600 beside the data, which another process may replace at any time to rotate them.
final class SigningKeys: Sendable {
    private struct Loaded {
        /// Nil where there is no file yet.
        var identity: FileIdentity?
        var keys: [SigningKey] = []
    }

    private let folder: String
    private let path: String
    private let loaded: Mutex<Loaded>

    /// Reads the keys in `folder`, where there are any. Throws a ``ServerError``.
    init(folder: String) throws {
        self.folder = folder
        path = SigningKeyFile.path(in: folder)
        let exists = (try? FileIdentity.of(path: path)) != nil
        loaded = Mutex(exists ? try SigningKeys.load(path) : Loaded())
    }

    /// Makes the first key where there is none, which takes a moment. Throws a ``ServerError``.
    ///
    /// - Parameter now: milliseconds since 1970.
    func make(now: Int64) throws {
        try loaded.withLock { loaded in
            guard loaded.keys.isEmpty, (try? FileIdentity.of(path: path)) == nil else { return }
            try SigningKeyFile.rotate(in: folder, now: now)
            loaded = try SigningKeys.load(path)
        }
    }

    private static func load(_ path: String) throws -> Loaded {
        let identity = try SigningKeyFile.explaining(path) { try FileIdentity.of(path: path) }
        return Loaded(identity: identity, keys: try SigningKeyFile.read(path))
    }

    /// The keys that are good at `now`, the newest first.
    ///
    /// A file that was replaced is read again; where that can't be read the keys stay as they were.
    private func current(_ now: Int64) -> [SigningKey] {
        loaded.withLock { loaded in
            if let identity = try? FileIdentity.of(path: path), identity != loaded.identity,
                let new = try? SigningKeys.load(path)
            {
                loaded = new
            }
            return loaded.keys.filter { $0.isGood(now) }
        }
    }

    /// A token with these claims.
    func sign(_ claims: [String: JSONValue], now: Int64) throws -> String {
        try make(now: now)
        guard let key = current(now).first else { throw AccountRefusal.failed }
        return try key.sign(claims)
    }

    /// What verifies the tokens of the key that `token` names; nil where it names none of these.
    func verifier(of token: IDToken, now: Int64) -> TokenKeys? {
        guard let id = token.keyID else { return nil }
        return current(now).first { $0.id == id }?.verifier
    }

    /// The public keys as a JSON Web Key Set.
    func keySet(now: Int64) throws -> [String: JSONValue] {
        try make(now: now)
        return ["keys": .array(current(now).map(\.jwk))]
    }

    /// The public keys as certificates in PEM, by key id.
    func certificates(now: Int64) throws -> [String: JSONValue] {
        try make(now: now)
        return Dictionary(current(now).map { ($0.id, .string($0.certificate)) }) { first, _ in first }
    }
}

/// One key of RSA, 2048 bits, for RS256.
struct SigningKey: Sendable {
    /// Milliseconds: tokens live an hour, and caches of keys as well.
    static let afterlife: Int64 = 2 * 3_600_000

    /// The thumbprint of the public key (RFC 7638).
    let id: String
    /// Milliseconds since 1970.
    let made: Int64
    /// Milliseconds since 1970, when another key took its place; nil for the one that signs.
    var retired: Int64?
    /// PEM, signed by itself.
    let certificate: String
    let jwk: JSONValue
    let verifier: TokenKeys
    private let key: _RSA.Signing.PrivateKey

    func isGood(_ now: Int64) -> Bool { retired.map { now < $0 + SigningKey.afterlife } ?? true }

    /// - Parameter now: milliseconds since 1970.
    init(now: Int64) throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        try self.init(key, made: now, retired: nil, certificate: try SelfSignedCertificate.pem(of: key, now: now))
    }

    init(_ key: _RSA.Signing.PrivateKey, made: Int64, retired: Int64?, certificate: String) throws {
        let primitives = try key.publicKey.getKeyPrimitives()
        let modulus = Secret.base64(Array(primitives.modulus.drop { $0 == 0 }))
        let exponent = Secret.base64(Array(primitives.publicExponent.drop { $0 == 0 }))
        let essence: JSONValue = ["e": .string(exponent), "kty": "RSA", "n": .string(modulus)]
        id = Secret.base64(Array(SHA256.hash(data: JSONWriter.text(essence))))
        var jwk = essence.members ?? [:]
        jwk["kid"] = .string(id)
        jwk["alg"] = "RS256"
        jwk["use"] = "sig"
        self.jwk = .object(jwk)
        verifier = try TokenKeys(JSONWriter.text(["keys": [.object(jwk)]]))
        self.key = key
        self.made = made
        self.retired = retired
        self.certificate = certificate
    }

    var privatePEM: String { key.pkcs8PEMRepresentation }

    func sign(_ claims: [String: JSONValue]) throws -> String {
        let head: JSONValue = ["alg": "RS256", "kid": .string(id), "typ": "JWT"]
        let signed = Secret.base64(JSONWriter.text(head)) + "." + Secret.base64(JSONWriter.text(claims))
        let digest = SHA256.hash(data: Array(signed.utf8))
        let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
        return signed + "." + Secret.base64(Array(signature.rawRepresentation))
    }
}
