import FoundationEssentials
import HookDelivery
import SystemPackage
import TestSupport
import Testing

@testable import Daemon

struct HookSettingsTests {
    @Test func `webhooks are read from the file`() async throws {
        let loaded = try await SettingsFixture(
            yaml: """
                webhooks:
                  home: {url: "https://example.org:8443/a?b=c", secretFile: key, for: [movies]}
                  v6: {url: "http://[::1]:80/", secretFile: /run/key, allowPrivate: true}
                """
        ).load()
        #expect(loaded.problems == [])
        let hooks = try #require(loaded.loaded?.settings.hooks)
        #expect(hooks.map(\.id) == ["webhook:home", "webhook:v6"])
        #expect(hooks.first?.collections == ["movies"])
        guard case .webhook(let home)? = hooks.first?.way, case .webhook(let v6)? = hooks.last?.way else {
            throw TooLate("no webhooks")
        }
        #expect(home.host == "example.org" && home.secretFile.hasSuffix("/key") && !home.allowsPrivate)
        #expect(v6.host == "::1" && v6.secretFile == "/run/key" && v6.allowsPrivate)
    }

    @Test(arguments: [
        ("webhooks: x", "F:1:11: webhooks must have keys of its own, such as webhooks.home.url"),
        ("webhooks: {a b: {}}", "F:1:12: webhooks.a b is no name: use letters, digits, '.', '_' and '-', up to 64"),
        ("webhooks: {a: {secretFile: k}}", "F:1:12: webhooks.a needs a url, such as https://example.org/hook"),
        (
            "webhooks: {a: {url: 'ftp://x', secretFile: k}}",
            "F:1:21: webhooks.a.url is no address of a server: write https://HOST/PATH, without a user or a fragment"
        ),
        (
            "webhooks: {a: {url: 'http://127.0.0.1:99999/x', secretFile: k}}",
            "F:1:21: webhooks.a.url has a port that there is not: ports end at 65535"
        ),
        (
            "webhooks: {a: {url: 'https://x'}}",
            "F:1:12: webhooks.a needs a secretFile: a file with \"whsec_\" and 24 to 64 bytes in Base64"
        ),
        (
            "webhooks: {a: {url: 'https://x', secretFile: k, allowPrivat: true}}",
            "F:1:49: webhooks.a.allowPrivat is an unknown key; did you mean allowPrivate?"
        ),
        (
            "webhooks: {a: {url: 'https://x', secretFile: k, allowPrivate: 1}}",
            "F:1:63: webhooks.a.allowPrivate must be true or false"
        ),
        (
            "plugins: {a: {command: /a, whenDown: never}}",
            "F:1:38: plugins.a.whenDown must be one of wait, accept, refuse"
        ),
    ])
    func `a problem says where and what`(_ yaml: String, _ problem: String) async throws {
        #expect(try await SettingsFixture(yaml: yaml).load().problems == [problem])
    }

    @Test func `the example of the shipped file can be used`() async throws {
        let yaml = WebhookSections.example.split(separator: "\n").map { $0.dropFirst(2) }.joined(separator: "\n")
        let loaded = try await SettingsFixture(yaml: yaml.replacing("Servers that", with: "# Servers that")).load()
        #expect(loaded.problems == [])
        #expect(loaded.loaded?.settings.hooks.map(\.id) == ["webhook:home"])
    }

    @Test func `programs are found beside the configuration, and those that can't be used say why`() async throws {
        try await withTemporaryFolder { folder in
            let hooks = folder.appending("hooks.d")
            try FileManager.default.createDirectory(
                atPath: hooks.appending("inner").string, withIntermediateDirectories: true)
            for (name, mode) in [
                ("10-good", 0o755), ("open", 0o777), ("plain", 0o644), (".hidden", 0o755), ("old~", 0o755),
                ("README.md", 0o644), ("two words", 0o755),
            ] { try write("#!/bin/sh\n", to: hooks.appending(name), mode: mode) }
            let settings = try #require(try await SettingsFixture(yaml: "").load(in: folder).loaded?.settings)
            #expect(settings.hooks.map(\.name) == ["10-good", "open", "plain", "two words"])
            #expect(settings.hooks.map { $0.objection == nil } == [true, false, false, false])
            let problems = ProgramCheck(settings: settings, file: nil).problems.map(\.message)
            #expect(problems.count == 3)
            #expect(problems.contains { $0.contains("others may write it") })
            #expect(problems.contains { $0.contains("it is not executable; chmod +x") })
        }
    }

    @Test func `a check of the configuration looks at programs and secrets`() async throws {
        let yaml = """
            plugins: {shelf: {command: /nowhere/shelf}, good: {command: sh}}
            webhooks: {home: {url: "https://example.org", secretFile: nothing}}
            users: {tokens: {anna: nothing}}
            """
        let settings = try #require(try await SettingsFixture(yaml: yaml).load().loaded?.settings)
        let problems = ProgramCheck(settings: settings, file: "/etc/x.yaml").problems.map(\.description)
        let starts = ["plugins.shelf.command: ", "webhooks.home.secretFile: ", "users.tokens.anna: "]
        #expect(problems.count == starts.count)
        for (problem, start) in zip(problems, starts) { #expect(problem.hasPrefix("/etc/x.yaml: \(start)")) }
    }
}
