import Accounts
import Foundation
import TestSupport
import Testing

@testable import DatabaseServer

/// Hashing and trying passwords.
@Suite(.timeLimit(.minutes(1)))
struct PasswordBenchTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    @Test func `scrypt is that of RFC 7914`() async throws {
        let key = Self.bytes(
            """
            fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830da\
            c727afb94a83ee6d8360cbdfa2cc0640
            """)
        let hash = PasswordHash(
            method: .scrypt(cost: 1024, blockSize: 8, parallelism: 16), salt: Array("NaCl".utf8), key: key)
        let bench = PasswordBench()
        #expect(
            try await bench.done(.trying("password", against: hash))
                == .tried("password", against: hash, isRight: true))
        #expect(
            try await bench.done(.trying("Password", against: hash))
                == .tried("Password", against: hash, isRight: false))
    }

    @Test func `Firebase's own hash is that of its published example`() async throws {
        let signer = try #require(
            Secret.bytes(
                base64: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="))
        let key = try #require(
            Secret.bytes(
                base64: "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="))
        let hash = PasswordHash(
            method: .firebase(signerKey: signer, separator: [0x07], rounds: 8, memoryCost: 14),
            salt: try #require(Secret.bytes(base64: "42xEC+ixf3L2lw==")), key: key)
        #expect(
            try await PasswordBench().done(.trying("user1password", against: hash))
                == .tried("user1password", against: hash, isRight: true))
    }

    private struct Unmade: Error {}

    @Test func `a new hash is salted, and an unknown one is never right`() async throws {
        let bench = PasswordBench(method: .scrypt(cost: 2, blockSize: 1, parallelism: 1))
        let (first, second) = (try await bench.done(.making(of: "secret")), try await bench.done(.making(of: "secret")))
        #expect(first != second)
        guard case .made(_, let hash) = first else { throw Unmade() }
        #expect(hash.salt.count == 16 && hash.key.count == 32 && !"\(hash) \(String(reflecting: hash))".contains("key"))
        #expect(
            try await bench.done(.trying("secret", against: nil)) == .tried("secret", against: nil, isRight: false))
    }

    @Test func `a crowd is turned away, and whoever waits is served`() async throws {
        let bench = PasswordBench(method: .scrypt(cost: 1 << 10, blockSize: 8, parallelism: 1))
        let results = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask { (try? await bench.done(.making(of: "secret \(number)"))) != nil }
            }
            return await group.reduce(into: [true: 0, false: 0]) { $0[$1, default: 0] += 1 }
        }
        #expect((results[true] ?? 0) >= 34)
        #expect((results[true] ?? 0) + (results[false] ?? 0) == 200)
        #expect((try? await bench.done(.making(of: "later"))) != nil)
    }
}
