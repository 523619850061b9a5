import Firebase
import FoundationEssentials
import JSONText
import Logging
import PluginKit
import SyncEngine
import SyncModel
import SystemPackage
import Systemd
import TestSupport
import Testing

@testable import Daemon

@Suite(.inTurn, .timeLimit(.minutes(1))) struct SettingsTests {
    @Test(arguments: [nil, "", "# only a comment\n", "\n\n", "~", "state:\nremote:\n  url: ~\n", "\u{FEFF}# mark"])
    func `nothing means the built-in defaults`(_ yaml: String?) async throws {
        let fixture = SettingsFixture(yaml: yaml, environment: ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7"])
        let settings = try #require(try await fixture.load().loaded?.settings)
        #expect(settings.state == "/home/ann/.local/state/moviesync")
        #expect(settings.journal == "/home/ann/.local/state/moviesync/journal.jsonl")
        #expect(settings.socket == "/run/user/7/moviesync/control.sock")
        #expect(
            LocalSettings(settings.values, stateFolder: settings.state).data
                == "/home/ann/.local/state/moviesync/firebase")
        #expect(settings.collections.map(\.base) == ["movies", "artists"])
        #expect(settings[CoreKeys.maxAhead] == .seconds(60))
        #expect(settings[CoreKeys.keepTombstones] == .seconds(90 * 86_400))
        #expect(settings.remotePlugin == "local")
        #expect(settings[RemoteKeys.meta] == "moviesync")
        #expect(settings.log == .init(level: .info, format: .auto))
    }

    @Test(arguments: [("", nil), ("' '", nil), ("' living  room '", "living room")] as [(String, String?)])
    func `a node is called what it is set to, on one line`(text: String, name: String?) async throws {
        let settings = try #require(try await SettingsFixture(yaml: "node: {name: \(text)}").load().loaded?.settings)
        #expect(settings[CoreKeys.nodeName] == name)
    }

    @Test(arguments: [
        #""a\u0007b""#, #""a\nb""#, #""a\tb""#, #""a\u0085b""#, #""a\u007Fb""#, String(repeating: "n", count: 101),
    ])
    func `a name that nobody can show is refused`(text: String) async throws {
        let problems = try await SettingsFixture(yaml: "node: {name: \(text)}").load().problems
        #expect(problems.count == 1 && problems.first?.contains("node.name") == true)
    }

    @Test func `the service manager's folders come before a home`() {
        let paths = StandardPaths(
            environment: [
                "STATE_DIRECTORY": "/var/lib/moviesync", "RUNTIME_DIRECTORY": "/run/moviesync", "HOME": "/h",
            ],
            userID: 990
        )
        #expect(paths.state == "/var/lib/moviesync")
        #expect(paths.journal == "/var/spool/moviesync/journal.jsonl")
        #expect(paths.socket == "/run/moviesync/control.sock")
        #expect(paths.configurations == ["/h/.config/moviesync/moviesync.yaml", "/etc/moviesync/moviesync.yaml"])
    }

    @Test func `flags come before the environment before the file`() async throws {
        var fixture = SettingsFixture(yaml: "state: /file\njournal: /file\nsocket: /file\nlog: {level: error}")
        fixture.environment = [
            "MOVIESYNC_JOURNAL": "/variable", "MOVIESYNC_SOCKET": "/variable", "MOVIESYNC_STATE": "",
        ]
        fixture.flags = SettingsFlags(values: ["socket": "/flag", "log.level": "debug"])
        let settings = try #require(try await fixture.load().loaded?.settings)
        #expect(settings.state == "/file")
        #expect(settings.journal == "/variable")
        #expect(settings.socket == "/flag")
        #expect(settings.log.level == .debug)
    }

    @Test func `every key has a variable`() async throws {
        var fixture = SettingsFixture(yaml: "collections: {enabled: [artists]}")
        fixture.environment = [
            "HOME": "/h", "MOVIESYNC_COLLECTIONS_ENABLED": "movies",
            "MOVIESYNC_COLLECTIONS_MOVIES_BASE": "shared/films",
            "MOVIESYNC_REMOTE_URL": "https://x.example", "MOVIESYNC_TOMBSTONES_KEEP": "2h",
            "MOVIESYNC_LOG_FORMAT": "json",
        ]
        let loaded = try #require(try await fixture.load().loaded)
        #expect(loaded.settings.collections == [.init(id: "movies", base: "shared/films", pull: .full, merge: .fields)])
        #expect(loaded.settings[FirebaseKeys.url]?.root == "https://x.example")
        #expect(loaded.settings[CoreKeys.keepTombstones] == .seconds(7200))
        #expect(loaded.settings.log.format == .json)
        #expect(loaded.warnings == [])
    }

    @Test func `an unknown variable is only a warning`() async throws {
        let fixture = SettingsFixture(environment: ["HOME": "/h", "MOVIESYNC_REMOTE_URI": "x"])
        #expect(
            try await fixture.load().loaded?.warnings
                == ["MOVIESYNC_REMOTE_URI is not a known variable; did you mean MOVIESYNC_REMOTE_URL?"])
    }

    @Test func `a relative path starts where it is named`() async throws {
        try await withTemporaryFolder { folder in
            var fixture = SettingsFixture(yaml: "state: data")
            fixture.flags = SettingsFlags(values: ["socket": "s/../c.sock"])
            let settings = try #require(try await fixture.load(in: folder).loaded?.settings)
            #expect(settings.state == folder.appending("data"))
            #expect(settings.socket == folder.appending("c.sock"))
        }
    }

    @Test func `the emulator replaces the database`() async throws {
        var fixture = SettingsFixture(
            yaml: "remote: {plugin: firebase, url: 'https://films-rtdb.firebaseio.com', writeGuard: etag}")
        fixture.environment["FIREBASE_DATABASE_EMULATOR_HOST"] = "127.0.0.1:9001"
        var settings = try #require(try await fixture.load().loaded?.settings)
        #expect(settings[FirebaseKeys.url]?.root == "http://127.0.0.1:9001")
        #expect(settings[FirebaseKeys.url]?.namespace == "films-rtdb")
        #expect(settings[FirebaseKeys.credential] == .emulator)
        fixture.yaml = nil
        settings = try #require(try await fixture.load().loaded?.settings)
        #expect(settings.remotePlugin == "firebase")
        #expect(settings[FirebaseKeys.url]?.namespace == nil)
        fixture.environment["MOVIESYNC_REMOTE_URL"] = "http://localhost:7000/?ns=other"
        settings = try #require(try await fixture.load().loaded?.settings)
        #expect(settings.remotePlugin == "local")
        #expect(settings[FirebaseKeys.url]?.root == "http://localhost:7000")
        #expect(settings[FirebaseKeys.url]?.namespace == "other")
        #expect(settings[FirebaseKeys.credential] == .none)
    }

    @Test func `a credential is found where the service manager puts it`() async throws {
        try await withTemporaryFolder { folder in
            let managed = folder.appending("credentials")
            try FileManager.default.createDirectory(atPath: managed.string, withIntermediateDirectories: false)
            try write("s3cret", to: managed.appending("key"), mode: 0o440)
            var fixture = SettingsFixture(yaml: "remote: {credential: secret, credentialFile: key}")
            fixture.environment["CREDENTIALS_DIRECTORY"] = managed.string
            let settings = try #require(try await fixture.load(in: folder).loaded?.settings)
            #expect(settings[FirebaseKeys.credentialFile] == managed.appending("key").string)
        }
    }

    @Test func `the shipped configuration is good`() async throws {
        let settings = try #require(
            try await SettingsFixture(yaml: try shipped("config/moviesync.yaml")).load().loaded?.settings)
        #expect(settings.state == "/var/lib/moviesync")
        #expect(LocalSettings(settings.values, stateFolder: settings.state).data == "/var/lib/moviesync/firebase")
    }

    @Test func `the shipped rules are JSON with the guards`() throws {
        let rules = try JSONReader.members(Array(try shipped("config/database.rules.json").utf8))["rules"]?.members
        for collection in ["movies", "artists"] {
            let node = try #require(rules?[collection]?.members)
            #expect(node[".indexOn"] == ["_t"])
            #expect(node[".write"] == nil, "a grant above the record would make its own rule void")
            #expect(node["$id"]?.members?[".write"]?.text?.contains("'\(collection)'") == true)
        }
        for collection in ["favourites", "reviews", "votes", "profiles"] { #expect(rules?[collection] != nil) }
        #expect(rules?["moviesync"]?.members?["tombstones"]?.members?["$collection"]?.members?[".indexOn"] == ["_t"])
    }

    @Test func `the catalog explains every alertable event`() throws {
        let catalog = try shipped("systemd/moviesync.catalog")
        let explained = catalog.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
        #expect(explained.sorted() == AlertableEvent.all.map(\.messageID).sorted())
    }
}
