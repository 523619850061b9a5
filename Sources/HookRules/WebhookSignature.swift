internal import Crypto
internal import FoundationEssentials

/// Signs what a webhook sends (https://www.standardwebhooks.com, version 1 of its symmetric signature).
package struct WebhookSignature: Sendable {
    private let keys: [SymmetricKey]

    /// In bytes.
    private static let lengths = 16...128

    /// What is said of a file whose content is none.
    package static let complaint = "holds no secret: write \"whsec_\" and 24 to 64 bytes in Base64"

    /// - Parameter secret: `whsec_` and the key in Base64; several, a line each, while receivers change over. Nil where that
    ///   is not so.
    package init?(secret: [UInt8]) {
        let lines = String(decoding: secret, as: UTF8.self).split(whereSeparator: \.isNewline)
        var keys: [SymmetricKey] = []
        for line in lines {
            let text = line.hasPrefix("whsec_") ? line.dropFirst(6) : line
            guard let key = Data(base64Encoded: String(text)), WebhookSignature.lengths.contains(key.count) else {
                return nil
            }
            keys.append(SymmetricKey(data: key))
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    /// The header `webhook-signature`: one for each secret.
    ///
    /// - Parameter seconds: since 1970, as in the header `webhook-timestamp`.
    package func header(id: String, seconds: UInt64, body: [UInt8]) -> String {
        let signed = Data("\(id).\(seconds).".utf8) + body
        return keys.map { key in
            "v1," + Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        }.joined(separator: " ")
    }
}
