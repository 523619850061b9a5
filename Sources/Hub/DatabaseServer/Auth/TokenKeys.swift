internal import FoundationEssentials
internal import JSONText
internal import JWTKit
internal import SyncModel

/// The keys that ID tokens may be signed with.
struct TokenKeys: Sendable, CustomReflectable {
    private enum Key: Sendable {
        case rsa(Insecure.RSA.PublicKey)
        case es256(ES256PublicKey)
        case es384(ES384PublicKey)
        case hs256(HMACKey)

        func algorithm() async throws -> any JWTAlgorithm {
            let keys = JWTKeyCollection()
            switch self {
            case .rsa(let key): await keys.add(rsa: key, digestAlgorithm: .sha256)
            case .es256(let key): await keys.add(ecdsa: key)
            case .es384(let key): await keys.add(ecdsa: key)
            case .hs256(let key): await keys.add(hmac: key, digestAlgorithm: .sha256)
            }
            return try await keys.getKey()
        }

        /// The `alg` of the tokens that the key verifies, and of no others.
        var name: String {
            switch self {
            case .rsa: "RS256"
            case .es256: "ES256"
            case .es384: "ES384"
            case .hs256: "HS256"
            }
        }
    }

    /// Whether whoever reads the file could sign tokens.
    let isSecret: Bool
    private let keys: [(id: String?, key: Key)]

    /// Reads what ``ServerConfiguration/setTokenKeys(_:)`` takes. Throws `invalidKeys`.
    init(_ content: [UInt8]) throws(ServerError) {
        guard let text = String(validating: content, as: UTF8.self) else {
            throw TokenKeys.refusal("it is not text")
        }
        let trimmed = text.trimmingPrefix { $0.isWhitespace }
        isSecret = !trimmed.hasPrefix("{") && !trimmed.contains("-----BEGIN")
        if trimmed.hasPrefix("{") {
            keys = try TokenKeys.keys(json: content)
        } else if isSecret {
            keys = [(nil, .hs256(HMACKey(from: try TokenKeys.shared(text))))]
        } else {
            keys = try TokenKeys.blocks(of: text).map { block throws(ServerError) in
                (nil, try TokenKeys.key(pem: block))
            }
        }
        guard !keys.isEmpty else { throw TokenKeys.refusal("it holds no key for RS256, ES256 or ES384") }
    }

    var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether one of the keys has signed `token`. A key whose id the token names is the only one to be asked.
    func verify(_ token: IDToken) async -> Bool {
        let named = keys.filter { $0.id != nil && $0.id == token.keyID }
        for (_, key) in named.isEmpty ? keys : named where key.name == token.algorithm {
            if let algorithm = try? await key.algorithm(),
                (try? algorithm.verify(token.signature, signs: token.signed)) == true
            {
                return true
            }
        }
        return false
    }

    // MARK: Reading

    private static func refusal(_ reason: String) -> ServerError {
        ServerError(.invalidKeys, "\(reason); give public keys or certificates in PEM, or a JSON Web Key Set")
    }

    private static func shared(_ text: String) throws(ServerError) -> String {
        let line = text.last?.isNewline == true ? text.dropLast() : text[...]
        guard !line.contains(where: \.isNewline), line.utf8.count >= 32 else {
            throw refusal("it is neither PEM nor JSON, nor a single line of at least 32 bytes for HS256")
        }
        return String(line)
    }

    private static func blocks(of text: String) -> [String] {
        text.ranges(of: "-----BEGIN ").map { begin in
            let rest = text[begin.lowerBound...]
            guard let end = rest.firstRange(of: "-----END ") else { return String(rest) }
            let last = rest[end.upperBound...].firstRange(of: "-----")
            return String(rest[..<(last?.upperBound ?? rest.endIndex)])
        }
    }

    private static func key(pem: String) throws(ServerError) -> Key {
        guard !pem.contains("PRIVATE KEY") else {
            throw refusal("it holds a private key, which this server must not know")
        }
        if let key = try? Insecure.RSA.PublicKey(pem: pem) { return .rsa(key) }
        if let key = try? Insecure.RSA.PublicKey(certificatePEM: pem) { return .rsa(key) }
        if let key = try? ES256PublicKey(pem: pem) { return .es256(key) }
        if let key = try? ES256PublicKey(certificate: pem) { return .es256(key) }
        if let key = try? ES384PublicKey(pem: pem) { return .es384(key) }
        if let key = try? ES384PublicKey(certificate: pem) { return .es384(key) }
        throw refusal("a PEM block is no public key of RSA (2048 bits or more), P-256 or P-384")
    }

    private static func keys(json: [UInt8]) throws(ServerError) -> [(id: String?, key: Key)] {
        guard let members = try? JSONReader.members(json) else { throw refusal("it is not JSON") }
        if case .array(let set)? = members["keys"] {
            // One by one: a set may hold keys of kinds that are not known here, for other purposes.
            return set.compactMap { element in
                guard let jwk = try? JSONDecoder().decode(JWK.self, from: Data(JSONWriter.text(element))) else {
                    return nil
                }
                return key(jwk).map { (jwk.keyIdentifier?.string, $0) }
            }
        }
        return try members.map { member throws(ServerError) in
            guard let pem = member.value.text else { throw refusal("\"\(member.key)\" is no certificate in PEM") }
            return (member.key, try key(pem: pem))
        }
    }

    /// Nil for keys of other kinds.
    private static func key(_ jwk: JWK) -> Key? {
        if jwk.keyType == .rsa, jwk.algorithm ?? .rs256 == .rs256, let modulus = jwk.modulus,
            let exponent = jwk.exponent
        {
            return (try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)).map { .rsa($0) }
        }
        guard jwk.keyType == .ecdsa, let x = jwk.x, let y = jwk.y else { return nil }
        if jwk.curve == .ecdsa(.p256) { return (try? ES256PublicKey(parameters: (x, y))).map { .es256($0) } }
        if jwk.curve == .ecdsa(.p384) { return (try? ES384PublicKey(parameters: (x, y))).map { .es384($0) } }
        return nil
    }
}
