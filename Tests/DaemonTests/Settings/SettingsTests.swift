import FoundationEssentials
import JSONText
import Logging
import SyncModel
import SystemPackage
import Systemd
import Testing

@testable import Daemon

@Suite(.timeLimit(.minutes(1))) struct SettingsTests {
    @Test(arguments: [nil, "", "# only a comment\n", "\n\n", "~", "state:\nremote:\n  url: ~\n", "\u{FEFF}# mark"])
    func nothingMeansTheBuiltInDefaults(_ yaml: String?) async throws {
        let fixture = SettingsFixture(yaml: yaml, environment: ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7"])
        let settings = try #require(try await fixture.load().loaded?.settings)
        #expect(settings.state == "/home/ann/.local/state/moviesync")
        #expect(settings.journal == "/home/ann/.local/state/moviesync/journal.jsonl")
        #expect(settings.socket == "/run/user/7/moviesync/control.sock")
        #expect(settings.local.data == "/home/ann/.local/state/moviesync/firebase")
        #expect(settings.collections.map(\.base) == ["movies", "artists"])
        #expect(settings.maxAhead == .seconds(60))
        #expect(settings.keepTombstones == .seconds(90 * 86_400))
        #expect(settings.remote.plugin == .local)
        #expect(settings.remote.meta == "moviesync")
        #expect(settings.log == .init(level: .info, format: .auto))
    }

    @Test func theServiceManagersFoldersComeBeforeAHome() {
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

    @Test func flagsComeBeforeTheEnvironmentBeforeTheFile() async throws {
        var fixture = SettingsFixture(yaml: "state: /file\njournal: /file\nsocket: /file\nlog: {level: error}")
        fixture.environment = [
            "MOVIESYNC_JOURNAL": "/variable", "MOVIESYNC_SOCKET": "/variable", "MOVIESYNC_STATE": "",
        ]
        fixture.flags = SettingsFlags(socket: "/flag", logLevel: "debug")
        let settings = try #require(try await fixture.load().loaded?.settings)
        #expect(settings.state == "/file")
        #expect(settings.journal == "/variable")
        #expect(settings.socket == "/flag")
        #expect(settings.log.level == .debug)
    }

    @Test func everyKeyHasAVariable() async throws {
        var fixture = SettingsFixture(yaml: "collections: {enabled: [artists]}")
        fixture.environment = [
            "HOME": "/h", "MOVIESYNC_COLLECTIONS_ENABLED": "movies",
            "MOVIESYNC_COLLECTIONS_MOVIES_BASE": "shared/films",
            "MOVIESYNC_REMOTE_URL": "https://x.example", "MOVIESYNC_TOMBSTONES_KEEP": "2h",
            "MOVIESYNC_LOG_FORMAT": "json",
        ]
        let loaded = try #require(try await fixture.load().loaded)
        #expect(loaded.settings.collections == [.init(id: "movies", base: "shared/films", pull: .full)])
        #expect(loaded.settings.remote.url == "https://x.example")
        #expect(loaded.settings.keepTombstones == .seconds(7200))
        #expect(loaded.settings.log.format == .json)
        #expect(loaded.warnings == [])
    }

    @Test func anUnknownVariableIsOnlyAWarning() async throws {
        let fixture = SettingsFixture(environment: ["HOME": "/h", "MOVIESYNC_REMOTE_URI": "x"])
        #expect(
            try await fixture.load().loaded?.warnings
                == ["MOVIESYNC_REMOTE_URI is not a known variable; did you mean MOVIESYNC_REMOTE_URL?"])
    }

    @Test func aRelativePathStartsWhereItIsNamed() async throws {
        try await withTemporaryFolder { folder in
            var fixture = SettingsFixture(yaml: "state: data")
            fixture.flags = SettingsFlags(socket: "s/../c.sock")
            let settings = try #require(try await fixture.load(in: folder).loaded?.settings)
            #expect(settings.state == folder.appending("data"))
            #expect(settings.socket == folder.appending("c.sock"))
        }
    }

    @Test func theEmulatorReplacesTheDatabase() async throws {
        var fixture = SettingsFixture(
            yaml: "remote: {plugin: firebase, url: 'https://films-rtdb.firebaseio.com', writeGuard: etag}")
        fixture.environment["FIREBASE_DATABASE_EMULATOR_HOST"] = "127.0.0.1:9001"
        var remote = try #require(try await fixture.load().loaded?.settings.remote)
        #expect(remote.url == "http://127.0.0.1:9001")
        #expect(remote.namespace == "films-rtdb")
        #expect(remote.credential == .emulator)
        fixture.yaml = nil
        remote = try #require(try await fixture.load().loaded?.settings.remote)
        #expect(remote.plugin == .firebase)
        #expect(remote.namespace == nil)
        fixture.environment["MOVIESYNC_REMOTE_URL"] = "http://localhost:7000/?ns=other"
        remote = try #require(try await fixture.load().loaded?.settings.remote)
        #expect(remote.plugin == .local)
        #expect(remote.url == "http://localhost:7000")
        #expect(remote.namespace == "other")
        #expect(remote.credential == .none)
    }

    @Test func aCredentialIsFoundWhereTheServiceManagerPutsIt() async throws {
        try await withTemporaryFolder { folder in
            let managed = folder.appending("credentials")
            try FileManager.default.createDirectory(atPath: managed.string, withIntermediateDirectories: false)
            try write("s3cret", to: managed.appending("key"), mode: 0o440)
            var fixture = SettingsFixture(yaml: "remote: {credential: secret, credentialFile: key}")
            fixture.environment["CREDENTIALS_DIRECTORY"] = managed.string
            let settings = try #require(try await fixture.load(in: folder).loaded?.settings)
            #expect(settings.remote.credential == .secret(managed.appending("key")))
        }
    }

    @Test func theShippedConfigurationIsGoodAndCommentsEveryKey() async throws {
        let yaml = try shipped("config/moviesync.yaml")
        let settings = try #require(try await SettingsFixture(yaml: yaml).load().loaded?.settings)
        #expect(settings.state == "/var/lib/moviesync")
        #expect(settings.local.data == "/var/lib/moviesync/firebase")
        for key in SettingKey.all(collections: ["movies", "artists"]) {
            let leaf = try #require(key.path.last)
            #expect(yaml.contains("\(leaf):"), "\(key) is not in the shipped file")
        }
    }

    @Test func theShippedRulesAreJSONWithTheGuards() throws {
        let rules = try JSONReader.members(Array(try shipped("config/database.rules.json").utf8))["rules"]?.members
        for collection in ["movies", "artists"] {
            let node = try #require(rules?[collection]?.members)
            #expect(node[".indexOn"] == ["_t"])
            #expect(node[".write"] == nil, "a grant above the record would make its own rule void")
            #expect(node["$id"]?.members?[".write"]?.text?.contains("'\(collection)'") == true)
        }
        #expect(rules?["moviesync"]?.members?["tombstones"]?.members?["$collection"]?.members?[".indexOn"] == ["_t"])
    }

    @Test func theCatalogExplainsEveryAlertableEvent() throws {
        let catalog = try shipped("systemd/moviesync.catalog")
        let explained = catalog.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
        #expect(explained.sorted() == AlertableEvent.messageIDs.values.sorted())
    }

    private func shipped(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }
}
