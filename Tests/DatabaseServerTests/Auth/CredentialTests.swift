import Foundation
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Who may do what, by credential, with rules and without, for an emulator and not.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct CredentialTests {
    static let rules = #"{"rules":{"any":{".read":"auth != null"},"me":{"$u":{".read":"auth.uid == $u"}}}}"#
    static let secret = "a-long-secret+/&="
    static let denied = #"{"error":"Permission denied"}"#
    static let unreadable = #"{"error":"Could not parse auth token."}"#
    static let expired = #"{"error":"Auth token is expired"}"#

    /// What reading `/any.json` answers under rules; nil means that it is allowed.
    struct Case: Sendable {
        var testDescription: String
        var token: @Sendable () throws -> String?
        var plain: String?
        var emulated: String?
    }

    private static func claims(end: Int) -> JSONValue {
        ["sub": "u", "exp": .integer(Int64(Date.now.timeIntervalSince1970) + Int64(end))]
    }

    static let cases = [
        Case(testDescription: "nobody", token: { nil }, plain: denied, emulated: denied),
        Case(testDescription: "an empty token", token: { "" }, plain: denied, emulated: denied),
        Case(testDescription: "the secret", token: { secret }),
        Case(testDescription: "the emulator's owner", token: { "owner" }, plain: unreadable),
        Case(testDescription: "signed", token: { try TestToken.elliptic(claims(end: 900)).text() }),
        Case(
            testDescription: "unsigned", token: { try TestToken.unsigned(claims(end: 900)).text() }, plain: unreadable),
        Case(
            testDescription: "unsigned without end", token: { try TestToken.unsigned(["sub": "u"]).text() },
            plain: unreadable),
        Case(
            testDescription: "signed, expired", token: { try TestToken.elliptic(claims(end: -1)).text() },
            plain: expired, emulated: expired),
        Case(
            testDescription: "unsigned, expired", token: { try TestToken.unsigned(claims(end: -1)).text() },
            plain: unreadable, emulated: expired),
        Case(
            testDescription: "signed by another", token: { try TestToken.rsa(claims(end: 900)).text() },
            plain: unreadable, emulated: unreadable),
        Case(testDescription: "garbage", token: { "a.b.c" }, plain: unreadable, emulated: unreadable),
        Case(testDescription: "part of the secret", token: { "a-secret" }, plain: unreadable, emulated: unreadable),
    ]

    private func withRules<Result: Sendable>(
        emulator: Bool, _ body: (TestClient) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        try Data(Self.rules.utf8).write(to: URL(filePath: folder.path + "/rules.json"))
        let pem = try TestKeys.shared.get().ellipticPEM
        let keys = try TokenKeys(Array(pem.utf8))
        return try await withServer(
            options: {
                $0.rules = folder.path + "/rules.json"
                $0.secret = AdminSecret(Self.secret)
                $0.tokenKeys = keys
                $0.isEmulator = emulator
            }, body)
    }

    /// Every way to send a token.
    private func requests(_ token: String?) -> [(path: String, headers: [String: String])] {
        guard let token, let inURL = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else {
            return [("/any.json", [:])]
        }
        let inURLs: [(path: String, headers: [String: String])] = [
            ("/any.json?auth=\(inURL)", [:]), ("/any.json?access_token=\(inURL)", [:]),
            ("/any.json", ["Authorization": "Bearer \(token)"]),
        ]
        return inURLs + (token.isEmpty ? [] : [("/any.json?auth=other", ["Authorization": "bearer \(token)"])])
    }

    @Test(arguments: [false, true]) func `under rules a credential must be good`(_ emulator: Bool) async throws {
        try await withRules(emulator: emulator) { client in
            for given in Self.cases {
                let refusal = emulator ? given.emulated : given.plain
                for (path, headers) in requests(try given.token()) {
                    let answer = try await client.send("GET", path, nil, headers)
                    #expect(answer.status == (refusal == nil ? 200 : 401), "\(given.testDescription): \(path)")
                    #expect(answer.body == refusal ?? "null", "\(given.testDescription): \(path)")
                }
            }
        }
    }

    @Test func `a secret in Base64 is taken as pyrebase4 sends it`() async throws {
        try await withServer(options: { $0.secret = AdminSecret("bm90IGEgc2VjcmV0IGF0/+bGwgYXQgYWxs=") }) { client in
            for name in ["auth", "access_token"] {
                try await Step("PUT /any.json?\(name)=bm90IGEgc2VjcmV0IGF0/+bGwgYXQgYWxs=", "1").perform(client)
            }
        }
    }

    @Test(arguments: [false, true]) func `without rules everybody may do everything`(_ emulator: Bool) async throws {
        try await withServer(options: { $0.isEmulator = emulator }) { client in
            for given in Self.cases {
                let token = try given.token()
                let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
                try await Step("PUT /any.json", "1", headers, 200, "1").perform(client)
                try await Step("GET /.settings/rules.json", nil, headers).perform(client)
            }
        }
    }

    @Test func `rules are for administrators where there are rules or a secret`() async throws {
        let owner = ["Authorization": "Bearer \(Self.secret)"]
        let user = ["Authorization": "Bearer \(try TestToken.elliptic(Self.claims(end: 900)).text())"]
        try await withRules(emulator: false) { client in
            for headers in [[:], user] {
                try await Step("GET /.settings/rules.json", nil, headers, 401).perform(client)
                try await Step("PUT /.settings/rules.json", #"{"rules":{}}"#, headers, 401).perform(client)
            }
            try await Step("GET /.settings/rules.json", nil, owner, 200, Self.rules).perform(client)
            try await Step("PUT /.settings/rules.json", #"{"rules":{}}"#, owner).perform(client)
            try await Step("GET /any.json", nil, user, 401, Self.denied).perform(client)
        }
        try await withServer(options: { $0.secret = AdminSecret(Self.secret) }) { client in
            try await Step("GET /.settings/rules.json", nil, [:], 401, Self.denied).perform(client)
            try await Step("PUT /.settings/rules.json", #"{"rules":{}}"#, [:], 401).perform(client)
            try await Step("GET /any.json").perform(client)
        }
    }

    @Test func `an administrator can be somebody, others can't`() async throws {
        let owner = ["Authorization": "Bearer \(Self.secret)"]
        let user = ["Authorization": "Bearer \(try TestToken.elliptic(Self.claims(end: 900)).text())"]
        let unauthorized = #"{"error":"Unauthorized request."}"#
        let override = "auth_variable_override"
        try await withRules(emulator: false) { client in
            for step in [
                Step("GET /me/v.json?\(override)=%7B%22uid%22%3A%22v%22%7D", nil, owner),
                Step("GET /me/w.json?\(override)=%7B%22uid%22%3A%22v%22%7D", nil, owner, 401, Self.denied),
                Step("GET /any.json?\(override)=null", nil, owner, 401, Self.denied),
                Step("GET /any.json?\(override)=1", nil, owner, 400),
                Step("GET /any.json?\(override)=%7B", nil, owner, 400),
                Step("GET /any.json?\(override)=%7B%22uid%22%3A%22v%22%7D", nil, user, 401, unauthorized),
                Step("GET /any.json?\(override)=%7B%22uid%22%3A%22v%22%7D", nil, [:], 401, unauthorized),
            ] { try await step.perform(client) }
        }
    }

    @Test func `no description shows a secret`() throws {
        let secret = AdminSecret(Self.secret)
        let keys = try TokenKeys(Array(String(repeating: "k3y", count: 20).utf8))
        for text in ["\(secret)", "\(keys)", String(reflecting: secret), String(reflecting: keys)] {
            #expect(!text.contains("a-secret") && !text.contains("k3y"))
        }
        #expect(secret.matches(Self.secret) && !secret.matches(Self.secret + " "))
    }
}
