import Accounts
import Foundation
import JSONText
import Logging
import SyncModel
import TestSupport

@testable import DatabaseServer

/// Calls about accounts, over a real socket.
struct AccountClient: Sendable {
    static let secret = "a-long-secret-of-the-hub"
    static let admin = ["Authorization": "Bearer \(secret)"]

    let http: TestClient

    /// The status and the members of the answer.
    func call(
        _ name: String, _ body: JSONValue, _ headers: [String: String] = [:]
    ) async throws -> (status: Int, body: [String: JSONValue]) {
        let path = name.hasPrefix("/") ? name : "/v1/accounts:\(name)"
        let answer = try await http.send("POST", path + "?key=any", JSONWriter.string(body), headers)
        return (answer.status, try JSONReader.members(Array(answer.body.utf8)))
    }

    /// The message of a refusal; nil where there is none.
    func refusal(_ name: String, _ body: JSONValue, _ headers: [String: String] = [:]) async throws -> String? {
        try await call(name, body, headers).body["error"]?.members?["message"]?.text
    }

    func signUp(_ email: String = "a@b.c") async throws -> [String: JSONValue] {
        try await call("signUp", ["email": .string(email), "password": "secret"]).body
    }

    func signIn(_ email: String = "a@b.c", _ password: String = "secret") async throws -> String? {
        try await refusal("signInWithPassword", ["email": .string(email), "password": .string(password)])
    }

    func refresh(_ token: JSONValue?) async throws -> (status: Int, body: [String: JSONValue]) {
        try await call("/v1/token", ["grant_type": "refresh_token", "refresh_token": token ?? .null])
    }

    /// Whether rules that want a user let this token read.
    func mayRead(_ token: JSONValue?) async throws -> Int {
        try await http.send("GET", "/any.json?auth=\(token?.text ?? "")").status
    }
}

/// A server of accounts of the project `demo` whose rules want a user for `/any`, and whose passwords cost nothing.
func withAccounts<Result: Sendable>(
    data: String? = nil, emulator: Bool = false, options change: (inout ServerConfiguration) -> Void = { _ in },
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: (AccountClient) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder()
    let rules = folder.path + "/rules.json"
    try Data(#"{"rules":{"any":{".read":"auth != null"}}}"#.utf8).write(to: URL(filePath: rules))
    return try await withServer(
        data: data,
        options: {
            $0.isEmulator = emulator
            $0.rules = rules
            $0.secret = AdminSecret(AccountClient.secret)
            var accounts = AccountConfiguration(project: "demo")
            accounts.hidesEmails = !emulator
            accounts.hashing = .scrypt(cost: 2, blockSize: 1, parallelism: 1)
            $0.accounts = accounts
            change(&$0)
        }, logger: logger
    ) { try await body(AccountClient(http: $0)) }
}
