/// What is kept of a password: a key that only the password leads to, and all that it takes to try one.
package struct PasswordHash: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        /// scrypt as RFC 7914 has it.
        case scrypt(cost: Int, blockSize: Int, parallelism: Int)
        /// Firebase's own: scrypt gives a key, by which the project's signer key is encrypted.
        case firebase(signerKey: [UInt8], separator: [UInt8], rounds: Int, memoryCost: Int)
    }

    package var method: Method
    package var salt: [UInt8]
    package var key: [UInt8]

    package init(method: Method, salt: [UInt8], key: [UInt8]) {
        self.method = method
        self.salt = salt
        self.key = key
    }
}

extension PasswordHash: CustomStringConvertible, CustomReflectable {
    package var description: String { "a password's hash" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension PasswordHash.Method {
    /// What new passwords are hashed with: 32 MiB and a tenth of a second each.
    package static let standard = PasswordHash.Method.scrypt(cost: 1 << 15, blockSize: 8, parallelism: 1)
    /// The bytes of a salt.
    package static let saltSize = 16
    /// The bytes of a key.
    package static let keySize = 32

    /// Whether trying one takes no more than is bearable, wherever it was made.
    package var isBearable: Bool {
        switch self {
        case .scrypt(let cost, let blockSize, let parallelism):
            PasswordHash.Method.isBearable(cost, blockSize, parallelism)
        case .firebase(_, _, let rounds, let memoryCost):
            (1...20).contains(memoryCost) && PasswordHash.Method.isBearable(1 << memoryCost, rounds, 1)
        }
    }

    private static func isBearable(_ cost: Int, _ blockSize: Int, _ parallelism: Int) -> Bool {
        (2...(1 << 20)).contains(cost) && cost & (cost - 1) == 0 && (1...64).contains(blockSize)
            && (1...16).contains(parallelism) && 128 * cost * blockSize <= 64 << 20
    }
}
