internal import Accounts
internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import NIOPosix
internal import Synchronization

/// Hashes and tries passwords: two at once, each with 32 MiB, and no more than 32 wait.
final class PasswordBench: Sendable {
    private static let workers = 2
    private static let queue = 32
    /// Threads of their own, so that nothing else waits for them.
    private static let threads = NIOThreadPool._makePerpetualStartedPool(
        numberOfThreads: workers, threadNamePrefix: "passwords-")

    private let waiting = Mutex(0)
    /// What new passwords are hashed with.
    let method: PasswordHash.Method
    private let decoy: PasswordHash

    init(method: PasswordHash.Method = .standard) {
        self.method = method
        var random = SystemRandomNumberGenerator()
        decoy = PasswordHash(
            method: method, salt: Secret.bytes(PasswordHash.Method.saltSize, using: &random),
            key: Secret.bytes(PasswordHash.Method.keySize, using: &random))
    }

    /// Throws ``AccountRefusal/busy`` where too many wait already.
    func done(_ work: PasswordWork) async throws -> PasswordResult {
        guard waiting.withLock({ enter(&$0) }) else { throw AccountRefusal.busy }
        defer { waiting.withLock { $0 -= 1 } }
        return try await PasswordBench.threads.runIfActive { [self] in try result(of: work) }
    }

    private func enter(_ waiting: inout Int) -> Bool {
        guard waiting < PasswordBench.workers + PasswordBench.queue else { return false }
        waiting += 1
        return true
    }

    private func result(of work: PasswordWork) throws -> PasswordResult {
        switch work {
        case .making(let password):
            var random = SystemRandomNumberGenerator()
            let salt = Secret.bytes(PasswordHash.Method.saltSize, using: &random)
            let key = try PasswordBench.key(password, method, salt, PasswordHash.Method.keySize)
            return .made(of: password, PasswordHash(method: method, salt: salt, key: key))
        case .trying(let password, let hash):
            let tried = hash ?? decoy
            let key = try PasswordBench.key(password, tried.method, tried.salt, tried.key.count)
            return .tried(password, against: hash, isRight: hash != nil && PasswordBench.isEqual(key, tried.key))
        }
    }

    private static func key(
        _ password: String, _ method: PasswordHash.Method, _ salt: [UInt8], _ size: Int
    ) throws -> [UInt8] {
        let password = Array(password.utf8)
        switch method {
        case .scrypt(let cost, let blockSize, let parallelism):
            let key = try KDF.Scrypt.deriveKey(
                from: password, salt: salt, outputByteCount: size, rounds: cost, blockSize: blockSize,
                parallelism: parallelism)
            return key.withUnsafeBytes { Array($0) }
        case .firebase(let signerKey, let separator, let rounds, let memoryCost):
            let key = try KDF.Scrypt.deriveKey(
                from: password, salt: salt + separator, outputByteCount: 32, rounds: 1 << memoryCost,
                blockSize: rounds, parallelism: 1)
            let nonce = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
            return Array(try AES._CTR.encrypt(signerKey, using: key, nonce: nonce))
        }
    }

    /// Takes as long for a near miss as for any other.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        SHA256.hash(data: left) == SHA256.hash(data: right)
    }
}
