internal import Crypto
internal import SyncModel

/// What stands for a browser, or for the permission to sign one in: it is told once, and only its hash is kept.
enum Secret {
    /// 32 random bytes in hexadecimal digits.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in Hexadecimal.text(Hexadecimal.bytes(random.next())) }.joined()
    }

    static func hash(of secret: String) -> String { Hexadecimal.text(Array(SHA256.hash(data: Array(secret.utf8)))) }
}
