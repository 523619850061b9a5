import Foundation
import SyncModel
import Testing

@testable import DatabaseServer

struct TokenKeysTests {
    static let claims: JSONValue = ["sub": "u"]

    private func verifies(_ file: String, _ token: TestToken) async throws -> Bool {
        let keys = try TokenKeys(Array(file.utf8))
        return await keys.verify(try #require(IDToken(try token.text())))
    }

    private func set() throws -> String {
        let (x, y) = try TestKeys.shared.get().point
        return """
            {"keys":[{"kty":"oct","kid":"other","k":"AAAA"},
              {"kty":"EC","crv":"P-256","kid":"one","use":"sig","x":"\(x)","y":"\(y)"}]}
            """
    }

    @Test func `public keys in PEM verify what their owners signed`() async throws {
        let keys = try TestKeys.shared.get()
        let (rsa, elliptic) = (keys.rsaPEM, keys.ellipticPEM)
        #expect(try await verifies(rsa, .rsa(Self.claims)))
        #expect(try await verifies(elliptic, .elliptic(Self.claims)))
        #expect(try await verifies("  \n\(rsa)\nsome words\n\(elliptic)", .elliptic(Self.claims)))
        #expect(try await !verifies(rsa, .elliptic(Self.claims)))
    }

    @Test func `a key set names its keys, and keys of other kinds do no harm`() async throws {
        #expect(try await verifies(set(), .elliptic(Self.claims, keyID: "one")))
        #expect(try await verifies(set(), .elliptic(Self.claims)))
        #expect(try await !verifies(set(), .rsa(Self.claims, keyID: "one")))
    }

    @Test func `one line is a shared secret`() async throws {
        let secret = String(repeating: "s3cret-", count: 6)
        #expect(try await verifies(secret + "\n", .shared(Self.claims, secret: secret)))
        #expect(try await !verifies(secret + "\n", .shared(Self.claims, secret: secret + "x")))
        #expect(try TokenKeys(Array(secret.utf8)).isSecret)
    }

    @Test func `a public key is no shared secret`() async throws {
        let pem = try TestKeys.shared.get().rsaPEM
        #expect(try await !verifies(pem, .shared(Self.claims, secret: pem)))
        #expect(try await !verifies(pem, .unsigned(Self.claims)))
        #expect(try !TokenKeys(Array(pem.utf8)).isSecret)
    }

    @Test func `a changed token is not verified`() async throws {
        let keys = try TokenKeys(Array(TestKeys.shared.get().ellipticPEM.utf8))
        let parts = try TestToken.elliptic(Self.claims).text().split(separator: ".")
        let other = try TestToken.elliptic(["sub": "admin"]).text().split(separator: ".")
        let mixed = try #require(IDToken("\(parts[0]).\(other[1]).\(parts[2])"))
        #expect(await !keys.verify(mixed))
    }

    @Test(arguments: [
        ("short", "32 bytes"), ("two lines\n" + String(repeating: "x", count: 40), "32 bytes"), ("{", "not JSON"),
        (#"{"keys":[]}"#, "no key"), (#"{"a":1}"#, "\"a\""), (#"{"a":"-----BEGIN CERTIFICATE-----\nAA"}"#, "PEM block"),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "PEM block"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "private key"), ("", "32 bytes"),
    ]) func `a file without usable keys is refused`(_ content: String, _ words: String) {
        do {
            _ = try TokenKeys(Array(content.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .invalidKeys)
            #expect(error.message.contains(words), "\(error)")
        }
    }
}
