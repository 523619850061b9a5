internal import Accounts
internal import DatabaseTree
internal import FoundationEssentials
internal import JSONText
internal import SyncModel

/// A JSON Web Token taken apart (RFC 7519), not verified yet.
struct IDToken: Sendable {
    /// Clocks may differ by this much when a token says that it was issued just now.
    private static let skew: Int64 = 60

    let algorithm: String
    let keyID: String?
    let claims: [String: JSONValue]
    /// What the signature is over.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Nil where `text` is no token.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let head = IDToken.bytes(parts[0]).flatMap({ try? JSONReader.members($0) }),
            let algorithm = head["alg"]?.text,
            // What must be understood to accept the token (RFC 7515, 4.1.11) is never understood here.
            head["crit"] == nil,
            let claims = IDToken.bytes(parts[1]).flatMap({ try? JSONReader.members($0) }),
            let signature = IDToken.bytes(parts[2])
        else { return nil }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        keyID = head["kid"]?.text
        signed = Array(text.utf8[..<parts[1].endIndex])
    }

    /// Who the claims say it is.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - project: what the token must be for; nil takes every project's.
    ///   - mayLackExpiry: whether a token without `exp` is accepted.
    func identity(now: Int64, project: String?, mayLackExpiry: Bool) throws(Refusal) -> Identity {
        let subject = claims["sub"]?.text
        guard let user = claims["user_id"]?.text ?? subject, Account.canHave(id: user), subject ?? user == user,
            isFor(project), hasBegun(now)
        else { throw .unreadableToken }
        var expires: Int64?
        if let claim = claims["exp"] {
            guard let end = IDToken.milliseconds(claim) else { throw .unreadableToken }
            guard now < end else { throw .expiredToken }
            expires = end
        } else if !mayLackExpiry {
            throw .unreadableToken
        }
        let auth: JSONValue = [
            "uid": .string(user), "token": .object(claims),
            "provider": claims["firebase"]?.members?["sign_in_provider"] ?? claims["provider_id"] ?? "custom",
        ]
        return Identity(principal: .client(auth: auth), expires: expires)
    }

    private func isFor(_ project: String?) -> Bool {
        guard let project else { return true }
        let isMeant: Bool
        if case .array(let audiences)? = claims["aud"] {
            isMeant = audiences.contains(.string(project))
        } else {
            isMeant = claims["aud"] == .string(project)
        }
        return isMeant && claims["iss"] == .string("https://securetoken.google.com/\(project)")
    }

    private func hasBegun(_ now: Int64) -> Bool {
        ["iat", "nbf"].allSatisfy { name in
            guard let claim = claims[name] else { return true }
            return IDToken.milliseconds(claim).map { $0 <= now + IDToken.skew * 1000 } ?? false
        }
    }

    /// Seconds since 1970 as milliseconds; nil for what is no time.
    private static func milliseconds(_ claim: JSONValue) -> Int64? {
        switch claim {
        case .integer(let seconds): Int64(exactly: Double(seconds) * 1000)
        case .number(let seconds): Int64(exactly: (seconds * 1000).rounded(.down))
        default: nil
        }
    }

    private static func bytes(_ part: Substring.UTF8View) -> [UInt8]? {
        var text = String(decoding: part, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).map { Array($0) }
    }
}
