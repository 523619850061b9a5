internal import Crypto
internal import FoundationEssentials

/// A secret that makes whoever knows it an administrator. Only its hash is kept, and no description shows it.
struct AdminSecret: Sendable, CustomStringConvertible, CustomReflectable {
    private let digest: SHA256.Digest

    init(_ text: String) { digest = AdminSecret.digest(text) }

    /// Whether `text` is the secret; takes as long for a near miss as for any other.
    func matches(_ text: String) -> Bool { AdminSecret.digest(text) == digest }

    var description: String { "a secret" }
    var customMirror: Mirror { Mirror(self, children: []) }

    private static func digest(_ text: String) -> SHA256.Digest { SHA256.hash(data: Data(text.utf8)) }
}
