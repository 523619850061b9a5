import Accounts
import Crypto
import Foundation
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// What is signed with the hub's own keys, and what only looks like it.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SigningTests {
    private func keyID(_ client: AccountClient) async throws -> [String] {
        let path = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
        let answer = try await client.http.send("GET", path)
        #expect(answer.headers["cache-control"] == "public, max-age=3600, must-revalidate")
        guard case .array(let keys)? = try JSONReader.members(Array(answer.body.utf8))["keys"] else { return [] }
        return keys.compactMap { $0.members?["kid"]?.text }
    }

    @Test func `a rotated key is good for two hours more`() async throws {
        let folder = try TemporaryFolder()
        let start = wallMilliseconds()
        let clock = HandTime(now: start)
        try await withAccounts(data: folder.path, options: { $0.time = clock.wallTime }) { client async throws in
            let old = try await client.signUp()
            let first = try await keyID(client)
            #expect(first.count == 1)
            let new = try SigningKeyFile.rotate(in: folder.path, now: start)
            #expect(try await keyID(client) == [new] + first)
            let user = try await client.signUp("n@b.c")
            #expect(user["idToken"]?.text.flatMap(IDToken.init)?.keyID == new)
            #expect(try await client.mayRead(old["idToken"]) == 200)
            #expect(try await client.refusal("lookup", ["idToken": old["idToken"] ?? .null]) == nil)
            clock.move(to: start + SigningKey.afterlife)
            #expect(try await keyID(client) == [new])
            let certificates = "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
            let names = try JSONReader.members(Array(try await client.http.get(certificates).utf8)).keys
            #expect(Array(names) == [new])
        }
    }

    @Test func `certificates hold the keys of the key set`() async throws {
        let key = try SigningKey(now: wallMilliseconds())
        let token = try #require(IDToken(try key.sign(["sub": "u"])))
        let keys = try TokenKeys(JSONWriter.text([key.id: .string(key.certificate)]))
        #expect(token.keyID == key.id && token.algorithm == "RS256")
        #expect(await keys.verify(token))
        #expect(await key.verifier.verify(token))
        let other = try #require(IDToken(try SigningKey(now: wallMilliseconds()).sign(["sub": "u"])))
        #expect(await !keys.verify(other))
    }

    @Test func `only what the hub has signed is a token of its users`() async throws {
        try await withAccounts { client async throws in
            let user = try await client.signUp()
            let good = try #require(user["idToken"]?.text.flatMap(IDToken.init))
            let claims = JSONValue.object(good.claims)
            let path = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
            let set = try await client.http.get(path)
            let parts = (user["idToken"]?.text ?? "").split(separator: ".")
            let withoutID = TestToken.base64(Data(#"{"alg":"RS256","typ":"JWT"}"#.utf8))
            for forged in [
                try TestToken.unsigned(claims).text(),
                // The public key, which everybody knows, as if it were a shared secret.
                try TestToken.shared(claims, secret: set).text(),
                try TestToken.rsa(claims, keyID: good.keyID).text(), try TestToken.rsa(claims).text(),
                "\(withoutID).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
            ] {
                #expect(try await client.mayRead(.string(forged)) == 401)
                #expect(try await client.refusal("lookup", ["idToken": .string(forged)]) == "INVALID_ID_TOKEN")
            }
            #expect(try await client.mayRead(user["idToken"]) == 200)
        }
    }

    @Test func `an emulator believes unsigned tokens, of users that it has`() async throws {
        try await withAccounts(emulator: true) { client async throws in
            let user = try await client.signUp()
            let good = try #require(user["idToken"]?.text.flatMap(IDToken.init))
            let unsigned = try TestToken.unsigned(.object(good.claims)).text()
            #expect(try await client.refusal("lookup", ["idToken": .string(unsigned)]) == nil)
            var claims = good.claims
            claims["sub"] = "nobody"
            claims["user_id"] = "nobody"
            let foreign = try TestToken.unsigned(.object(claims)).text()
            #expect(try await client.refusal("lookup", ["idToken": .string(foreign)]) == "USER_NOT_FOUND")
        }
    }

    @Test func `a custom token is signed with a key that the hub was given`() async throws {
        let audience: JSONValue =
            "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
        let now = Int64(Date.now.timeIntervalSince1970)
        let claims: [String: JSONValue] = [
            "aud": audience, "uid": "c", "iat": .integer(now), "exp": .integer(now + 3600), "claims": ["tier": 2],
        ]
        let keys = try TokenKeys(Array(try TestKeys.shared.get().rsaPEM.utf8))
        func refusal(_ client: AccountClient, _ token: TestToken) async throws -> String? {
            try await client.refusal("signInWithCustomToken", ["token": .string(try token.text())])
        }
        let invalid = "INVALID_CUSTOM_TOKEN : Invalid assertion format"
        try await withAccounts(options: { $0.tokenKeys = keys }) { client async throws in
            let token = try TestToken.rsa(.object(claims))
            let answer = try await client.call("signInWithCustomToken", ["token": .string(try token.text())])
            #expect(answer.body["isNewUser"] == true)
            let signed = try #require(answer.body["idToken"]?.text.flatMap(IDToken.init))
            #expect(signed.claims["tier"] == 2 && signed.claims["sub"] == "c")
            #expect(try await refusal(client, .unsigned(.object(claims))) == invalid)
            #expect(try await refusal(client, try .elliptic(.object(claims))) == invalid)
            for (name, value): (String, JSONValue) in [
                ("aud", "demo"), ("exp", .integer(now + 4000)), ("iat", .integer(now + 100)), ("iat", .null),
            ] {
                let wrong = claims.merging([name: value]) { $1 }
                #expect(try await refusal(client, try .rsa(.object(wrong))) == invalid, "\(name)")
            }
            let old = claims.merging(["iat": .integer(now - 3600), "exp": .integer(now)]) { $1 }
            #expect(try await refusal(client, try .rsa(.object(old))) == "TOKEN_EXPIRED")
        }
        try await withAccounts { client async throws in
            let said = try await refusal(client, try .rsa(.object(claims)))
            #expect(said == invalid)
        }
    }
}
