package import ControlAPI
package import PluginWire
internal import ServiceLifecycle
package import SyncModel
internal import Synchronization

/// Runs the plugins in other processes that the configuration names.
///
/// Nothing here waits for a plugin but the readers of its answers: one that hangs, floods, lies or dies harms nobody else.
package final class PluginHost: Service {
    private struct State: Sendable {
        var runners: [String: PluginRunner] = [:]
        var isOver = false
    }

    private let context: PluginContext
    private let state = Mutex(State())
    private let begun: AsyncStream<PluginRunner>
    private let begin: AsyncStream<PluginRunner>.Continuation

    package init(_ settings: [PluginSettings], _ context: PluginContext) {
        self.context = context
        (begun, begin) = AsyncStream.makeStream()
        configure(settings)
    }

    /// Runs all plugins until graceful shutdown, and returns when they have ended.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await runner in begun { group.addTask { await runner.run() } }
            }
        } onGracefulShutdown: {
            self.stop()
        }
    }

    private func stop() {
        let runners = state.withLock { state in
            state.isOver = true
            return state.runners.values.map(\.self)
        }
        for runner in runners { runner.stop() }
        begin.finish()
    }

    /// Takes over other settings: what is new is started, what is gone ends, what is told other things hears them.
    package func configure(_ settings: [PluginSettings]) {
        state.withLock { state in
            guard !state.isOver else { return }
            let names = Set(settings.map(\.name))
            for (name, runner) in state.runners where !names.contains(name) {
                runner.stop()
                state.runners[name] = nil
            }
            for plugin in settings { put(plugin, &state) }
        }
    }

    /// What a plugin said of itself last in this run; nil where it has not been greeted.
    package func declaration(of plugin: String) -> PluginDeclaration? { runner(plugin)?.declaration }

    /// Tells plugins their secrets anew where the files hold others than they were told.
    package func refreshSecrets() {
        for runner in state.withLock({ $0.runners.values.map(\.self) }) { runner.refreshSecrets() }
    }

    private func put(_ plugin: PluginSettings, _ state: inout State) {
        if let runner = state.runners[plugin.name] {
            let old = runner.settings
            if old == plugin { return }
            if old.way == plugin.way { return runner.configure(plugin) }
            runner.stop()
        }
        let runner = PluginRunner(plugin, context)
        state.runners[plugin.name] = runner
        begin.yield(runner)
    }

    private func runner(_ name: String) -> PluginRunner? { state.withLock { $0.runners[name] } }

    /// Makes a call of a plugin, and starts the plugin where it does not run.
    ///
    /// - Returns: what it answers, the last one `ok`. Reading throws a `PluginError` where the call fails, which it does in
    ///   any case when it takes too long; a reader that goes away cancels the call.
    package func call(
        _ plugin: String, _ name: String, with arguments: JSONValue
    ) -> AsyncThrowingStream<PluginAnswer, any Error> {
        guard let runner = runner(plugin) else {
            return AsyncThrowingStream { throw PluginError(.unavailable, "no plugin is called \(plugin)") }
        }
        return runner.call(name, with: arguments)
    }
}

extension PluginHost: PluginService {
    package func plugins() -> [PluginReply] {
        state.withLock { $0.runners.values.map(\.self) }.map { $0.reply() }.sorted { $0.name < $1.name }
    }

    package func restart(plugin name: String) throws(ControlError) {
        guard let runner = runner(name) else { throw ControlError.unknownPlugin(name) }
        runner.restart()
    }
}
