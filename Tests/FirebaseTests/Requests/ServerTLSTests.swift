import Firebase
import FoundationEssentials
import NIOSSL
import PluginKit
import SyncModel
import TestSupport
import Testing

/// Certificates made for one test: an authority, and a server's for 127.0.0.1 and for another name.
struct Authority {
    private let folder: TemporaryFolder
    var caFile: String { folder("ca.pem") }

    init() throws {
        folder = try TemporaryFolder()
        try run("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-authority -keyout ca.key -out ca.pem")
    }

    /// What a server with a certificate for `name` (`IP:127.0.0.1`, `DNS:other.test`) needs.
    ///
    /// - Parameter days: how long it is valid.
    func context(for name: String, days: Int = 2) throws -> NIOSSLContext {
        try run("req -newkey rsa:2048 -nodes -subj /CN=server -keyout server.key -out server.csr")
        try Data("subjectAltName=\(name)\n".utf8).write(to: URL(filePath: folder("names")))
        try run(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days) -extfile names"
                + " -out server.pem")
        let chain = try NIOSSLCertificate.fromPEMFile(folder("server.pem"))
        let key = try NIOSSLPrivateKey(file: folder("server.key"), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    }

    private func run(_ arguments: String) throws { try OpenSSL.run(arguments, in: folder.path) }
}

@Suite(.inTurn, .timeLimit(.minutes(1)), .enabled(if: OpenSSL.isThere, "openssl makes the certificates"))
struct ServerTLSTests {
    private func keys(
        certificateFor name: String, days: Int = 2, trusting: Bool
    ) async throws -> Result<[String], RemoteError> {
        let authority = try Authority()
        var result: Result<[String], RemoteError> = .success([])
        try await withServer(tls: authority.context(for: name, days: days)) { _, line in
            try await line.reply(200, [:], #"{"A":true}"#)
        } _: { server in
            try await withRemote(server.url, { if trusting { $0.caFile = authority.caFile } }) { remote in
                do {
                    result = .success(try await remote.keys(in: movies))
                } catch let error as RemoteError {
                    result = .failure(error)
                }
            }
        }
        return result
    }

    @Test func `an authority of one's own is trusted when it is named`() async throws {
        let keys = try await keys(certificateFor: "IP:127.0.0.1", trusting: true).get()
        #expect(keys == ["A"])
    }

    @Test(arguments: [("IP:127.0.0.1", false), ("DNS:other.test", true)])
    func `a certificate that does not fit means that nothing was sent`(name: String, trusting: Bool) async throws {
        let result = try await keys(certificateFor: name, trusting: trusting)
        let error = try #require(throws: RemoteError.self) { try result.get() }
        #expect(error.code == .unreachable)
        #expect(error.message.contains(trusting ? "for another host" : "has an issuer that is not trusted here"))
    }

    @Test func `a call about accounts says as much of a certificate`() async throws {
        let authority = try Authority()
        try await withServer(tls: authority.context(for: "IP:127.0.0.1")) { _, line in
            try await line.reply(200, [:], "{}")
        } _: { server in
            try await withRemote(server.url) { remote in
                let accounts = try #require(remote.accounts)
                let error = await #expect(throws: AccountError.self) {
                    try await accounts.signIn(email: "anna@example.org", password: "geheim")
                }
                #expect(error?.reason == .offline && server.requests.isEmpty)
                #expect(error?.message.contains("has an issuer that is not trusted here") == true)
            }
        }
    }

    @Test func `a certificate that has expired is told as that`() async throws {
        let result = try await keys(certificateFor: "IP:127.0.0.1", days: -1, trusting: true)
        let error = try #require(throws: RemoteError.self) { try result.get() }
        #expect(error.code == .unreachable)
        #expect(error.message.hasPrefix("the certificate of https://127.0.0.1:"))
        #expect(error.message.contains(" expired 24 h ago, by this machine's clock"))
    }
}
