import Firebase
import Logging
import Movies
import PluginConformance
import PluginKit
import SyncModel
import Synchronization
import SystemPackage
import Systemd
import TestSupport
import Testing

@testable import Daemon

/// A remote that the daemon does not know is one plugin in the registry.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct ThirdRemoteTests {
    private let plugin = MemoryPlugin()

    private func plugins() throws -> PluginRegistry {
        try PluginRegistry(collections: [Movies()], remotes: [LocalPlugin(), FirebasePlugin(), plugin])
    }

    @Test(arguments: [
        (
            "remote: {plugin: memroy}",
            #"F:1:18: remote.plugin is "memroy", but must be one of local, firebase, memory; did you mean memory?"#
        ),
        (
            "memory: {shelfLive: 1h}",
            "F:1:10: unknown key memory.shelfLive; did you mean memory.shelfLife?"
        ),
        (
            "memory: {shelfLife: long}",
            #"F:1:21: memory.shelfLife is "long", but must be a whole number above 0 and a unit: 250ms, 60s, 10m, 2h, 90d"#
        ),
        ("remote: {plugin: memory}\nmemory: {shelfLife: 1ms}", "F:1:18: memory.shelfLife is shorter than a second"),
        (
            "remote: {plugin: memory, writeGuard: rules}",
            "F:1:38: remote.writeGuard is rules, but memory has none: use etag"
        ),
    ])
    func `the keys of a third remote are checked like all others`(yaml: String, problem: String) async throws {
        let fixture = SettingsFixture(yaml: yaml, plugins: try plugins())
        #expect(try await fixture.load().problems == [problem])
    }

    @Test func `the keys of a third remote are in the reference`() throws {
        let reference = SettingsReference(SettingsSchema(try plugins()))
        #expect(reference.markdown.contains("`MOVIESYNC_MEMORY_SHELF_LIFE` | duration | `1h` | restart | How long"))
        #expect(
            reference.yaml.contains(
                """
                # Used by "plugin: memory".
                memory:
                  # How long the memory lasts.
                  shelfLife: 1h

                """))
    }

    @Test func `the probe reaches a third remote`() async throws {
        let yaml = "remote: {plugin: memory}"
        let loaded = try await SettingsFixture(yaml: yaml, plugins: try plugins()).load().loaded
        let (remote, context) = try #require(loaded).settings.remote(of: plugins())
        #expect(try await remote.probe(context) == "remote: memory answers")
    }

    @Test func `two plugins that declare the same key are refused`() {
        #expect(throws: DuplicatePlugin.self) { try PluginRegistry(collections: [], remotes: [plugin, plugin]) }
    }

    @Test func `the daemon syncs with a third remote`() async throws {
        try await withTemporaryFolder { folder in
            let (heard, continuation) = AsyncStream<[RemoteEvent]>.makeStream()
            let daemon = try await daemon(in: folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [remote = plugin.remote] in
                    try await remote.listen(to: .records("movies"), after: nil) { continuation.yield($0) }
                }
                group.addTask { try await daemon.run() }
                for await events in heard {
                    let titles = events.compactMap { event -> JSONValue? in
                        guard case .changed(let entry) = event, case .record(let fields, _) = entry.value else {
                            return nil
                        }
                        return fields["title"]
                    }
                    if titles == ["Alien"] { break }
                }
                group.cancelAll()
                while let result = await group.nextResult() {
                    if case .failure(let error) = result, !(error is CancellationError) { throw error }
                }
            }
        }
    }

    private func daemon(in folder: FilePath) async throws -> DaemonProcess {
        let line = #"{"op":"create","id":"\#(id)","fields":{"title":"Alien","hasWatched":false}}"#
        try write(line + "\n", to: folder.appending("journal.jsonl"))
        let file = folder.appending("moviesync.yaml")
        try write("state: .\nsocket: s\njournal: journal.jsonl\nremote: {plugin: memory}\n", to: file)
        let source = SettingsSource(
            flags: SettingsFlags(config: file.string), environment: [:], plugins: try plugins(),
            workingDirectory: folder, userID: 1000)
        return DaemonProcess(
            source: source, loaded: try await source.load(), plugins: try plugins(), threshold: LogThreshold(.info),
            inherited: InheritedSockets(), logger: Logger(label: "x") { _ in SwiftLogNoOpLogHandler() })
    }

    private let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
}
