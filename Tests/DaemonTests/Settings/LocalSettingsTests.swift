import SystemPackage
import TestSupport
import Testing

@testable import Daemon

/// The keys of the built-in hub.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct LocalSettingsTests {
    @Test func `every key is read`() async throws {
        try await withTemporaryFolder { folder in
            try write(#"{"rules":{}}"#, to: folder.appending("r.json"))
            try write("a-secret-of-22-letters", to: folder.appending("secret"))
            try write(String(repeating: "k", count: 32), to: folder.appending("key"))
            let yaml = """
                local: {rules: r.json, secret: secret, tokenKey: key, project: p, emulator: true, insecure: true,
                  listen: '0.0.0.0:1'}
                """
            let loaded = try await SettingsFixture(yaml: yaml).load(in: folder).loaded
            let settings = try #require(loaded?.settings)
            let local = LocalSettings(settings.values, stateFolder: settings.state)
            #expect(local.rules == folder.appending("r.json"))
            #expect(local.secret == folder.appending("secret"))
            #expect(local.tokenKey == folder.appending("key"))
            #expect(local.project == "p")
            #expect(local.isEmulator && local.isInsecure && local.isExposed)
        }
    }

    @Test func `files are found where the service manager puts them`() async throws {
        try await withTemporaryFolder { folder in
            try write("a-secret-of-22-letters", to: folder.appending("hub-secret"), mode: 0o440)
            var fixture = SettingsFixture()
            fixture.environment["CREDENTIALS_DIRECTORY"] = folder.string
            fixture.environment["MOVIESYNC_LOCAL_SECRET"] = "hub-secret"
            let settings = try #require(try await fixture.load().loaded?.settings)
            #expect(settings[LocalKeys.secret] == folder.appending("hub-secret").string)
        }
    }

    @Test func `what is wrong is said with its place`() async throws {
        try await withTemporaryFolder { folder in
            try write("s3cret", to: folder.appending("open"), mode: 0o644)
            try write(#"{"rules":{".read":"x"}}"#, to: folder.appending("r.json"))
            let yaml = """
                local:
                  rules: r.json
                  secret: open
                  tokenKey: none
                  emulator: maybe
                  tls: {cert: open}
                """
            let problems = try await SettingsFixture(yaml: yaml).load(in: folder).problems
            #expect(
                problems == [
                    "F:2:10: local.rules can't be used: D/r.json:1:20: x is not known here",
                    "F:3:11: local.secret can't be used: cannot use secret D/open: others may read it (mode 0644); chmod it to 0600",
                    "F:4:13: local.tokenKey can't be used: cannot open D/none: No such file or directory",
                    #"F:5:13: local.emulator is "maybe", but must be one of true, false"#,
                    "F:6:15: local.tls.cert stands alone: set local.tls.key too",
                ])
        }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.1", true), ("localhost", true), ("::1", true), ("0.0.0.0", false), ("::", false),
        ("192.168.1.10", false), ("127.0.0", false), ("127.0.0.1.example.com", false), ("hub.local", false),
    ]) func `a loopback address is this machine alone`(_ host: String, _ isLoopback: Bool) {
        #expect(ListenAddress(host: host, port: 1).isLoopback == isLoopback)
    }

    @Test func `what others can reach must be guarded`() async throws {
        func problems(_ yaml: String) async throws -> [String] {
            try await SettingsFixture(yaml: yaml).load().problems
        }
        let place = "F:1:17: local.listen is 0.0.0.0:1, which other machines can reach: use it "
        #expect(
            try await problems("local: {listen: '0.0.0.0:1'}") == [
                place + "with local.tls and local.rules, or set local.insecure to true"
            ])
        #expect(
            try await problems("local: {listen: '0.0.0.0:1', emulator: true}") == [
                place + "without local.emulator, or set local.insecure to true"
            ])
        #expect(try await problems("local: {listen: '0.0.0.0:1', insecure: true}").isEmpty)
        let firebase = "remote: {plugin: firebase, url: 'https://x.example'}"
        #expect(try await problems("local: {listen: '0.0.0.0:1'}\n\(firebase)").isEmpty)
        var local = LocalSettings(listen: ListenAddress(host: "0.0.0.0", port: 1), data: "/d")
        (local.certificate, local.rules) = ("/c", "/r")
        #expect(!local.isExposed)
        local.isEmulator = true
        #expect(local.isExposed)
    }
}
