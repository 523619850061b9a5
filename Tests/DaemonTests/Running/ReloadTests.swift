import ControlAPI
import Logging
import PluginKit
import SyncModel
import Synchronization
import SystemPackage
import Systemd
import TestSupport
import Testing

@testable import Daemon

@Suite(.inTurn, .timeLimit(.minutes(1))) struct ReloadTests {
    @Test func `a reload puts in force what can change and names the rest`() async throws {
        try await withReload(from: "clock: {maxAhead: 60s}") { reload, file, applied, threshold in
            try write(
                "node: {name: n}\nclock: {maxAhead: 5m}\nlog: {level: debug}\nlocal: {listen: 'localhost:1'}", to: file)
            let reply = try await reload.reload()
            #expect(
                reply == ReloadReply(reloaded: ["node.name", "log.level", "clock.maxAhead"], needsRestart: ["local"]))
            #expect(threshold.level == .debug)
            let settings = await reload.settings
            #expect(settings[CoreKeys.maxAhead] == .seconds(300))
            #expect(settings[LocalKeys.listen] == ListenAddress(host: "127.0.0.1", port: 9000))
            #expect(applied.withLock { $0 } == [settings])
            #expect(try await reload.reload() == ReloadReply(reloaded: [], needsRestart: ["local"]))
        }
    }

    @Test func `a bad configuration changes nothing`() async throws {
        try await withReload(from: "clock: {maxAhead: 60s}") { reload, file, applied, _ in
            try write("clock: {maxAhead: 5m}\nlog: {level: loud}", to: file)
            let before = await reload.settings
            let error = await #expect(throws: ControlError.self) { try await reload.reload() }
            #expect(error?.status == 422)
            #expect(error?.code == "badConfiguration")
            #expect(error?.message.contains("moviesync.yaml:2:14: log.level is \"loud\"") == true)
            #expect(await reload.settings == before)
            #expect(applied.withLock { $0 } == [])
        }
    }

    @Test func `what files beside the configuration have changed is told, and which can't be read`() async throws {
        let found = Reload.Found(changed: ["users.tokens.anna"], problems: ["users.tokens.bob: it is gone"])
        try await withReload(from: "clock: {maxAhead: 60s}", finding: found) { reload, _, applied, _ in
            let told = ReloadReply(reloaded: ["users.tokens.anna"], problems: ["users.tokens.bob: it is gone"])
            let reply = try await reload.reload()
            #expect(reply == told)
            #expect(applied.withLock { $0 } == [])
        }
    }

    private func withReload(
        from yaml: String, finding found: Reload.Found = .init(),
        _ body: (Reload, FilePath, borrowing Mutex<[Settings]>, LogThreshold) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending("moviesync.yaml")
            try write(yaml, to: file)
            let source = SettingsSource(
                flags: SettingsFlags(config: file.string), environment: ["HOME": "/h"], plugins: try .builtIn(),
                workingDirectory: folder, userID: 1000
            )
            let threshold = LogThreshold(.info)
            let applied = Applied()
            let reload = Reload(
                source: source, running: try await source.load().settings, threshold: threshold,
                board: StatusBoard(SystemNotifier()) { "running" },
                logger: Logger(label: "x") { _ in SwiftLogNoOpLogHandler() },
                finished: { found }, apply: { change in applied.all.withLock { $0.append(change.settings) } }
            )
            try await body(reload, file, applied.all, threshold)
        }
    }

    private final class Applied: Sendable { let all = Mutex<[Settings]>([]) }
}
