import Crypto
import CryptoExtras
import Foundation
import JSONText
import SyncModel

/// Keys that sign tokens, made once for all tests: making one takes a moment.
struct TestKeys: Sendable {
    static let shared = Result { try TestKeys() }

    let rsa: _RSA.Signing.PrivateKey
    let elliptic = P256.Signing.PrivateKey()

    var rsaPEM: String { rsa.publicKey.pemRepresentation }
    var ellipticPEM: String { elliptic.publicKey.pemRepresentation }
    /// The coordinates of the elliptic key, as a key set has them.
    var point: (x: String, y: String) {
        let point = elliptic.publicKey.x963Representation
        return (TestToken.base64(point[1..<33]), TestToken.base64(point[33..<65]))
    }

    private init() throws { rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048) }
}

/// A JSON Web Token of any kind, right or wrong.
struct TestToken {
    var head: JSONValue
    var claims: JSONValue
    var sign: (Data) throws -> Data

    static func elliptic(_ claims: JSONValue, keyID: String? = nil) throws -> TestToken {
        let key = try TestKeys.shared.get().elliptic
        return TestToken(head: head("ES256", keyID), claims: claims) { try key.signature(for: $0).rawRepresentation }
    }

    static func rsa(_ claims: JSONValue, keyID: String? = nil) throws -> TestToken {
        let key = try TestKeys.shared.get().rsa
        return TestToken(head: head("RS256", keyID), claims: claims) {
            try key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    static func shared(_ claims: JSONValue, secret: String) -> TestToken {
        TestToken(head: head("HS256", nil), claims: claims) {
            Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: Data(secret.utf8))))
        }
    }

    static func unsigned(_ claims: JSONValue) -> TestToken {
        TestToken(head: head("none", nil), claims: claims) { _ in Data() }
    }

    private static func head(_ algorithm: String, _ keyID: String?) -> JSONValue {
        var head: [String: JSONValue] = ["alg": .string(algorithm), "typ": "JWT"]
        if let keyID { head["kid"] = .string(keyID) }
        return .object(head)
    }

    func text() throws -> String {
        let signed = [head, claims].map { TestToken.base64(Data(JSONWriter.text($0))) }.joined(separator: ".")
        return signed + "." + TestToken.base64(try sign(Data(signed.utf8)))
    }

    static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
