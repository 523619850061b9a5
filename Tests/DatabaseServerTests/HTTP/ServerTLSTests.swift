import AsyncHTTPClient
import HTTPListening
import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)), .enabled(if: OpenSSL.isThere, "openssl makes the certificates"))
struct ServerTLSTests {
    @Test func `requests and streams are encrypted, and plain ones are not answered`() async throws {
        let folder = try TemporaryFolder()
        let files = try TestCertificate(in: folder.path)
        let tls = try ServerTLS(
            certificates: files.content(of: files.certificate), key: files.content(of: files.key))
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.trustRoots = .file(files.certificate)
        try await withServer(options: { $0.tls = tls }) { plain in
            try await withHTTPClient(configuration) { http in
                let client = TestClient(base: plain.base.replacing("http:", with: "https:"), http: http)
                let text = "\"" + String(repeating: "x", count: 3_000_000) + "\""
                try await Step("PUT /m/big.json?print=silent", text, [:], 204).perform(client)
                try await Step("GET /m/big.json", nil, [:], 200, text).perform(client)
                try await client.listen("/n.json") { frames async throws in
                    #expect(try await frames.next() == #"put {"path":"/","data":null}"#)
                    try await Step("PUT /n.json", "1").perform(client)
                    #expect(try await frames.next() == #"put {"path":"/","data":1}"#)
                }
                await #expect(throws: (any Error).self) { try await plain.get("/n.json") }
                let answer = try await exchange("GET /n.json HTTP/1.1\r\n\r\n", with: plain)
                #expect(!answer.contains("HTTP"))
                try await Step("GET /n.json", nil, [:], 200, "1").perform(client)
            }
        }
    }

    @Test func `files that don't fit are refused`() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try TestCertificate(in: folder.path), try TestCertificate(in: folder.path, name: "other"))
        func reason(_ certificates: String, _ key: String) throws -> String {
            do throws(ServerTLSError) {
                let content = (try? one.content(of: certificates)) ?? []
                _ = try ServerTLS(certificates: content, key: (try? one.content(of: key)) ?? [])
                return "taken"
            } catch {
                return error.description
            }
        }
        #expect(try reason(one.certificate, two.key).contains("does not belong"))
        #expect(try reason(one.key, one.key).contains("no certificate"))
        #expect(try reason(one.certificate, one.certificate).contains("no private key"))
        #expect(try reason("none", one.key).contains("no certificate"))
    }
}
