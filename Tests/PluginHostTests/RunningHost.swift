import ControlAPI
import Foundation
import Logging
import OperatingSystem
import PluginHost
import PluginLink
import PluginWire
import ServiceLifecycle
import SyncModel
import Synchronization
import TestSupport

/// A host that runs, and what it has logged.
struct RunningHost: Sendable {
    let host: PluginHost
    let log: NotedLog

    /// Runs a host round `body`, and stops it as the daemon does.
    static func with(
        _ plugins: [PluginSettings], limits: PluginLimits = PluginLimits(),
        _ body: @escaping @Sendable (RunningHost) async throws -> Void
    ) async throws {
        ThisProcess.ignoreClosedPipes()
        let log = NotedLog()
        let start = ContinuousClock.now
        let context = PluginContext(
            version: "0.3.0", limits: limits, readSecret: { try SecretFile.read(at: $0) }, wall: { 1_000 },
            monotonic: { UInt64(start.duration(to: .now) / .milliseconds(1)) },
            sleep: { try? await Task.sleep(until: start + .milliseconds(Int64(clamping: $0)), clock: .continuous) },
            logger: log.logger)
        let running = RunningHost(host: PluginHost(plugins, context), log: log)
        let group = ServiceGroup(
            configuration: .init(
                services: [running.host], logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(running)) } catch { outcome = .failure(error) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try outcome.get()
        }
    }

    /// A plugin's reply, as soon as it is in this state.
    func reply(_ name: String, in state: PluginReply.State) async throws -> PluginReply {
        try await until("\(name) is \(state)", hearing: [log.bell], detail: { "\(host.plugins())" }) {
            host.plugins().first { $0.name == name && $0.state == state }
        }
    }

    /// All that a call is answered with.
    func call(_ plugin: String, _ name: String) async throws -> [PluginAnswer] {
        try await within(.seconds(25), "\(name) ends") {
            var answers: [PluginAnswer] = []
            for try await answer in host.call(plugin, name, with: ["query": "alien"]) { answers.append(answer) }
            return answers
        }
    }

    /// Why a call of the plugin "sh" fails; nil where it does not.
    func failure(of name: String) async -> PluginError? {
        do {
            _ = try await call("sh", name)
            return nil
        } catch {
            return error as? PluginError
        }
    }
}

/// A log that rings at each line.
final class NotedLog: Sendable {
    let bell = Bell()
    private let noted = Mutex<[Logger.Metadata]>([])

    /// The metadata of all lines so far.
    var lines: [Logger.Metadata] { noted.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: NotedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let level: Logger.Metadata = ["level": "\(event.level)"]
            log.noted.withLock { $0.append(level.merging(event.metadata ?? [:]) { _, new in new }) }
            log.bell.ring()
        }
    }
}
