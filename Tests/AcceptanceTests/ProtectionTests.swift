import ControlAPI
import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Hubs that believe only who can prove it.
@Suite(
    .serialized, .inTurn, .timeLimit(.minutes(1)), .enabled(if: OpenSSL.isThere, "openssl makes the certificates")
)
struct ProtectionTests {
    private static let rules = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent().appending("config/database.rules.json")

    /// Makes a certificate for 127.0.0.1 and a secret in the site's folder.
    private func prepare(_ site: Site) throws {
        _ = try TestCertificate(in: site.folder.string, name: "hub")
        let secret = site.folder.appending("secret").string
        try Data("correct-horse-battery\n".utf8).write(to: URL(filePath: secret))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
    }

    @Test func `nodes reach a hub with encryption, rules and a secret`() async throws {
        try await withSite { site in
            try prepare(site)
            let folder = site.folder
            let hub = try await site.hub(flags: [
                "--rules", Self.rules.string, "--secret-file", "\(folder)/secret", "--tls-cert", "\(folder)/hub.pem",
                "--tls-key", "\(folder)/hub.key",
            ])
            #expect(hub.url.hasPrefix("https://127.0.0.1:"))
            var settings = NodeSettings()
            settings.remote = """
                  credential: secret
                  credentialFile: "\(folder)/secret"
                  tls:
                    caFile: "\(folder)/hub.pem"
                """
            let (a, b) = (try await site.node("a", hub.url, settings), try await site.node("b", hub.url, settings))
            let added = try await a.tool(["add", "Alien", "--wait"], json: false)
            #expect(added.code == 0, "\(added.errors)")
            try await b.until("one film") { $0.collections["movies"]?.records == 1 }
            for node in [a, b] { #expect(!Site.text(of: try #require(node.program).log).contains("correct-horse")) }
            #expect(!Site.text(of: try #require(hub.program).log).contains("correct-horse"))
        }
    }

    @Test(arguments: ["etag", "rules"]) func `the embedded hub lets its own daemon in`(_ writeGuard: String)
        async throws
    {
        try await withSite { site in
            try prepare(site)
            let node = try await site.node("a", "http://127.0.0.1:1", started: false)
            var text = Site.text(of: node.config)
            text.replace(
                "plugin: firebase\n  url: \"http://127.0.0.1:1\"",
                with: "plugin: local\n  writeGuard: \(writeGuard)")
            text += """

                local:
                  listen: 127.0.0.1:0
                  data: "\(node.folder)/hub"
                  rules: "\(Self.rules)"
                  secret: "\(site.folder)/secret"
                  tls:
                    cert: "\(site.folder)/hub.pem"
                    key: "\(site.folder)/hub.key"
                """
            try Data(text.utf8).write(to: URL(filePath: node.config.string))
            try await node.start()
            let added = try await node.tool(["add", "Alien", "--wait"], json: false)
            #expect(added.code == 0, "\(added.errors)")
            #expect(try await node.tool(["watched", added.line, "--wait"]).code == 0)
            #expect(try await node.tool(["rm", added.line, "--wait"]).code == 0)
            let url = try await node.status().remote.url
            for (path, status) in [("/movies.json", "401"), ("/movies.json?auth=correct-horse-battery", "200")] {
                let script = #"curl -s -o /dev/null -w '%{http_code}' --cacert hub.pem "$1""#
                let answer = try await site.shell(script, [url + path])
                #expect(answer.output == status)
            }
        }
    }
}
