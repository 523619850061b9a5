internal import CryptoExtras
internal import FoundationEssentials
internal import JSONText
internal import OperatingSystem
internal import SwiftASN1
internal import SyncModel
internal import X509

/// The file in which the keys of ID tokens stand.
package enum SigningKeyFile {
    static func path(in folder: String) -> String { folder + "/token-keys.json" }

    /// Makes a new key, which signs from now on; the one before is good for two hours more. A hub that runs notices.
    ///
    /// Returns the id of the new key. Throws a ``ServerError``.
    ///
    /// - Parameter now: milliseconds since 1970.
    @discardableResult package static func rotate(in folder: String, now: Int64) throws -> String {
        let path = path(in: folder)
        return try explaining(path) {
            let file = try ReplacingFile(path: path)
            var keys = (try? FileIdentity.of(path: path)) == nil ? [] : try read(path).filter { $0.isGood(now) }
            for index in keys.indices where keys[index].retired == nil { keys[index].retired = now }
            let new = try SigningKey(now: now)
            try file.write(JSONWriter.text(["keys": .array(([new] + keys).map(json))]) + [0x0A])
            try file.finish()
            return new.id
        }
    }

    /// Rotates the keys of the hub whose data stand in `folder`. Throws a ``ServerError``.
    package static func rotate(in folder: String) throws -> String {
        guard (try? FileIdentity.of(path: path(in: folder))) != nil else {
            throw ServerError(
                .cannotCreate, "\(folder) holds no keys of ID tokens: start the hub there with --accounts first")
        }
        return try rotate(in: folder, now: wallMilliseconds())
    }

    /// The keys in the file, the one that signs first.
    static func read(_ path: String) throws -> [SigningKey] {
        try explaining(path) {
            let text = try SecretFile.read(at: path)
            guard case .array(let elements)? = try? JSONReader.members(text)["keys"], !elements.isEmpty else {
                throw damaged(path)
            }
            return try elements.map { element in
                guard let members = element.members, let pem = members["key"]?.text,
                    let made = members["made"]?.whole, let certificate = members["certificate"]?.text,
                    let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem)
                else { throw damaged(path) }
                return try SigningKey(key, made: made, retired: members["retired"]?.whole, certificate: certificate)
            }.sorted { ($0.retired ?? .max, $0.made) > ($1.retired ?? .max, $1.made) }
        }
    }

    private static func json(_ key: SigningKey) -> JSONValue {
        var members: [String: JSONValue] = [
            "kid": .string(key.id), "made": .integer(key.made), "key": .string(key.privatePEM),
            "certificate": .string(key.certificate),
        ]
        members["retired"] = key.retired.map { .integer($0) }
        return .object(members)
    }

    private static func damaged(_ path: String) -> ServerError {
        ServerError(
            .corrupt, "\(path) holds no keys of ID tokens: restore it from a backup, or remove it for a new key")
    }

    static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw ServerError(error)
        }
    }
}

/// What clients want that don't take a public key by itself.
enum SelfSignedCertificate {
    /// A certificate of the key, in PEM.
    ///
    /// - Parameter now: milliseconds since 1970.
    static func pem(of key: _RSA.Signing.PrivateKey, now: Int64) throws -> String {
        let name = try DistinguishedName { CommonName("securetoken.system.gserviceaccount.com") }
        let today = Date(timeIntervalSince1970: Double(now / 1000))
        let privateKey = Certificate.PrivateKey(key)
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: privateKey.publicKey,
            notValidBefore: today.addingTimeInterval(-day), notValidAfter: today.addingTimeInterval(3650 * day),
            issuer: name, subject: name, signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions(), issuerPrivateKey: privateKey)
        return try certificate.serializeAsPEM().pemString
    }

    private static let day: TimeInterval = 86_400
}
