import PluginHost
import SyncModel
import SystemPackage
import TestSupport
import Testing

@testable import Daemon

@Suite(.inTurn, .timeLimit(.minutes(1))) struct PluginSectionsTests {
    @Test func `a plugin is a program or a socket, and what it is told`() async throws {
        let yaml = """
            plugins:
              shelf:
                command: [bin/shelf, --fast]
                for: [movies]
                settings: {plot: full, limit: 10, quoted: "10", nested: {on: true, rates: [1, 0.5, x]}, none: ~}
                secrets: {key: shelf-key}
              far:
                socket: /run/moviesync-plugins/far.sock
              named: {command: python3}
            """
        try await withTemporaryFolder { folder in
            let plugins = try await SettingsFixture(yaml: yaml).load(in: folder).loaded?.settings.plugins
            #expect(
                plugins == [
                    PluginSettings(name: "far", way: .socket("/run/moviesync-plugins/far.sock")),
                    PluginSettings(name: "named", way: .command(["python3"])),
                    PluginSettings(
                        name: "shelf", way: .command([folder.appending("bin/shelf").string, "--fast"]),
                        settings: [
                            "plot": "full", "limit": 10, "quoted": "10", "none": nil,
                            "nested": ["on": true, "rates": [1, 0.5, "x"]],
                        ], secrets: ["key": folder.appending("shelf-key").string], collections: ["movies"]),
                ])
        }
    }

    @Test func `without the section there are none`() async throws {
        for yaml in [nil, "log: {level: info}", "plugins:", "plugins: {}"] {
            #expect(try await SettingsFixture(yaml: yaml).load().loaded?.settings.plugins == [])
        }
    }

    @Test(arguments: [
        ("plugins: [a]", "F:1:10: plugins must have keys of its own, such as plugins.shelf.command"),
        (
            "plugins: {Shelf: {command: /a}}",
            "F:1:11: plugins.Shelf is no name: use up to 40 of a-z, 0-9 and -, a letter first"
        ),
        ("plugins: {shelf: /a}", "F:1:18: plugins.shelf must have keys of its own, such as plugins.shelf.command"),
        (
            "plugins: {shelf: {}}",
            "F:1:11: plugins.shelf needs a command, such as [/usr/libexec/moviesync/shelf], or a socket"
        ),
        ("plugins: {shelf: {command: /a, socket: /b}}", "F:1:11: plugins.shelf has both command and socket: keep one"),
        ("plugins: {shelf: {command: []}}", "F:1:28: plugins.shelf.command must be a list of words"),
        ("plugins: {shelf: {command: [[a]]}}", "F:1:28: plugins.shelf.command must be a list of words"),
        ("plugins: {shelf: {socket: [a]}}", "F:1:27: plugins.shelf.socket must be the path of a socket"),
        (
            "plugins: {shelf: {comand: /a, socket: /b}}",
            "F:1:19: plugins.shelf.comand is an unknown key; did you mean command?"
        ),
        (
            "plugins: {shelf: {command: /a, for: [movis]}}",
            #"F:1:37: plugins.shelf.for names "movis", but the collections are movies, artists, favourites, reviews, votes, "#
                + "profiles; did you mean movies?"
        ),
        ("plugins: {shelf: {command: /a, settings: [a]}}", "F:1:42: plugins.shelf.settings must have keys of its own"),
        (
            "plugins: {shelf: {command: /a, settings: {a: [{b: c}]}}}",
            "F:1:42: plugins.shelf.settings holds a list of keys and values, which can't be told: use keys instead"
        ),
        (
            "plugins: {shelf: {command: /a, secrets: key}}",
            "F:1:41: plugins.shelf.secrets must name a file for each secret, such as {key: omdb-key}"
        ),
        (
            "plugins: {shelf: {command: /a, secrets: {key: [a]}}}",
            "F:1:47: plugins.shelf.secrets.key must be the name of a credential or file"
        ),
        ("plugin: {shelf: {command: /a}}", "F:1:1: unknown key plugin; did you mean plugins?"),
    ])
    func `a problem says where and what`(_ yaml: String, _ problem: String) async throws {
        #expect(try await SettingsFixture(yaml: yaml).load().problems == [problem])
    }

    @Test func `the example of the shipped file can be used`() async throws {
        let yaml = PluginSections.example.split(separator: "\n").map { $0.dropFirst(2) }.joined(separator: "\n")
        let fixture = SettingsFixture(yaml: yaml.replacing("Plugins in", with: "# Plugins in"))
        let plugins = try await fixture.load().loaded?.settings.plugins
        #expect(plugins?.map(\.way) == [.command(["/usr/libexec/moviesync/shelf"])])
    }
}
