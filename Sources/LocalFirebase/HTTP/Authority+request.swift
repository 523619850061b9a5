internal import FoundationEssentials
internal import HTTPTypes
internal import JSONText
internal import SyncModel

extension Authority {
    /// Who sends a request with these headers and parameters.
    ///
    /// `owner` as token is the owner, as with the Firebase emulator; `auth_variable_override` makes the owner a client.
    /// A token without signature (`alg` none) is believed; any other token counts as nobody, as it can't be checked here.
    init(_ fields: HTTPFields, _ parameters: [(name: String, value: String)]) {
        func parameter(_ name: String) -> String? { parameters.last { $0.name == name }?.value }
        let header = fields[.authorization].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        let token = header ?? parameter("access_token") ?? parameter("auth") ?? ""
        guard token == "owner" else {
            self = .client(auth: Authority.auth(unsigned: token) ?? .null)
            return
        }
        guard let override = parameter("auth_variable_override") else {
            self = .owner
            return
        }
        self = .client(auth: (try? JSONReader.value(Array(override.utf8))) ?? .null)
    }

    /// The `auth` of an unsigned ID token; nil for anything else.
    private static func auth(unsigned token: String) -> JSONValue? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].isEmpty, members(parts[0])?["alg"] == .string("none"),
            let claims = members(parts[1]), case .string(let uid)? = claims["user_id"] ?? claims["sub"]
        else { return nil }
        let firebase = claims["firebase"]?.members
        return .object([
            "uid": .string(uid), "token": .object(claims),
            "provider": firebase?["sign_in_provider"] ?? .string("custom"),
        ])
    }

    private static func members(_ part: Substring) -> [String: JSONValue]? {
        var text = part.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: String(text)).flatMap { try? JSONReader.members($0) }
    }
}
