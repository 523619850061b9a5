internal import Crypto
internal import FoundationEssentials

/// Refresh tokens and codes: random texts that nobody guesses, of which only a hash is kept.
package enum Secret {
    /// 256 random bits.
    static func make(using random: inout some RandomNumberGenerator) -> String {
        base64(bytes(32, using: &random))
    }

    package static func bytes(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// What is kept of `secret`.
    package static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(data: Array(secret.utf8))) }

    /// Without padding, and with the letters that URLs take.
    package static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Bytes of either alphabet, padded or not; nil for what is neither.
    package static func bytes(base64 text: String) -> [UInt8]? {
        var plain = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain).map { Array($0) }
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    /// An id of an account, as the service makes them.
    static func accountID(using random: inout some RandomNumberGenerator) -> String {
        String((0..<28).map { _ in letters[Int.random(in: letters.indices, using: &random)] })
    }
}
