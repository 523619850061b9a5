import Firebase
import PluginKit
import SyncModel
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1))) struct CredentialTests {
    @Test(arguments: [FirebaseCredential.secret("top/secret"), .idToken("top/secret")])
    func `a secret stands in the query, and nowhere else`(credential: FirebaseCredential) async throws {
        try await withScript(adjusting: { $0.credential = credential }) { _, line in
            try await line.reply(401, [:], #"{"error":"Could not parse top/secret or top%2Fsecret"}"#)
        } _: { remote, server in
            let error = try await remoteError { _ = try await remote.read(key, in: movies) }
            #expect(error.code == .unauthorized)
            #expect(error.message.hasSuffix("answered 401: Could not parse … or …"))
            #expect(server.requests.map(\.query) == [["auth=top%2Fsecret"]])
            #expect(server.requests.first?.header("Authorization") == [])
            #expect(remote.address == server.url)
            #expect(!"\(credential)".contains("secret/"))
        }
    }

    @Test(arguments: [
        (200, "application/json", #"{"args":{"auth":"top/secret"}}"#),
        (200, "text/html; from=top%2Fsecret", "null"),
        (500, "text/html", String(repeating: "x", count: 296) + "top/secret"),
    ])
    func `a secret that an answer repeats is not shown`(_ status: Int, _ type: String, _ body: String) async throws {
        try await withScript(adjusting: { $0.credential = .secret("top/secret") }) { _, line in
            try await line.reply(status, ["Content-Type": type], body)
        } _: { remote, _ in
            let write = try await remoteError { _ = try await remote.write(film("A"), in: movies, if: .absent) }
            #expect(write.code == .outcomeUnknown && !write.message.contains("top"))
            let stream = try await remoteError { try await remote.listen(to: movies, after: nil) { _ in } }
            #expect(!stream.message.contains("top"))
        }
    }

    @Test func `a credential's description shows no secret`() {
        var text = ""
        dump(FirebaseSettings(url: "https://db.example.test", credential: .secret("abcdef")), to: &text)
        #expect(text.contains("secret"))
        #expect(!text.contains("abcdef"))
    }

    static let addresses: [(String, String?)] = [
        ("https://my-project-default-rtdb.firebaseio.com", "https://my-project-default-rtdb.firebaseio.com"),
        ("https://my-project-default-rtdb.firebaseio.com/", "https://my-project-default-rtdb.firebaseio.com"),
        ("http://localhost:9000/?ns=db", "http://localhost:9000"), ("http://[::1]:9000", "http://[::1]:9000"),
        ("HTTP://127.0.0.1:9000", "http://127.0.0.1:9000"), ("", nil), ("127.0.0.1:9000", nil), ("ftp://host", nil),
        ("https://", nil), ("https://user:pass@host", nil), ("https://host/path", nil), ("https://host/?auth=x", nil),
    ]

    @Test(arguments: addresses)
    func `an address is a scheme, a host and a port`(url: String, expected: String?) async throws {
        do {
            try await withRemote(url) { #expect($0.address == expected) }
        } catch let error as RemoteSettingsError {
            #expect(expected == nil, "\(error)")
            #expect(error.message.contains("remote.url"))
            #expect(!error.message.contains("pass@"))
        }
    }

    @Test func `the namespace of the address is on every request`() async throws {
        try await withServer { _, line in
            try await line.reply(200, [:], "null")
        } _: { server in
            try await withRemote("\(server.url)/?ns=db") { remote in
                _ = try await remote.keys(in: movies)
                #expect(server.requests.map(\.target) == ["/movies.json?shallow=true&ns=db"])
            }
        }
    }

    @Test(arguments: ["http://db.example.test", "http://127.example.test"])
    func `no secret goes over plain http to another machine`(url: String) {
        let settings = FirebaseSettings(url: url, credential: .secret("s"))
        #expect(throws: RemoteSettingsError.self) { try FirebaseRemote(settings, logger: quiet) }
    }

    @Test func `a file without certificates is named`() {
        let settings = FirebaseSettings(url: "https://db.example.test", caFile: "/nowhere/ca.pem")
        let error = #expect(throws: RemoteSettingsError.self) { try FirebaseRemote(settings, logger: quiet) }
        #expect(error?.message.contains("/nowhere/ca.pem") == true)
    }
}
