package import ControlAPI
package import Logging
package import Systemd

/// Reads the configuration again while the daemon runs, and puts in force what can change.
///
/// A bad configuration changes nothing. Of two reloads at a time the one that began later decides.
package actor Reload {
    private let source: SettingsSource
    private let threshold: LogThreshold
    private let notifier: SystemNotifier
    private let logger: Logger
    private let statusLine: @Sendable () -> String
    private let apply: @Sendable (Settings) async -> Void
    private let finished: @Sendable () async -> Void
    private var running: Settings
    private var begun = 0
    private var decided = 0

    /// - Parameters:
    ///   - statusLine: what the daemon does, for the manager's status line.
    ///   - finished: is called after each reload that was not refused: what surrounds the daemon may have changed too.
    ///   - apply: is called with the settings that hold from now on, where something has changed.
    package init(
        source: SettingsSource, running: Settings, threshold: LogThreshold, notifier: SystemNotifier, logger: Logger,
        statusLine: @escaping @Sendable () -> String = { "running" },
        finished: @escaping @Sendable () async -> Void = {}, apply: @escaping @Sendable (Settings) async -> Void
    ) {
        self.source = source
        self.running = running
        self.threshold = threshold
        self.notifier = notifier
        self.logger = logger
        self.statusLine = statusLine
        self.finished = finished
        self.apply = apply
    }

    /// The settings that hold now.
    package var settings: Settings { running }

    /// Reloads, and tells the service manager about it from the first moment to the last.
    ///
    /// - Throws: ``ControlError`` `badConfiguration` (422) with every problem; nothing has changed then.
    package func reload() async throws(ControlError) -> ReloadReply {
        notifier.reloading()
        begun += 1
        let turn = begun
        do {
            let loaded = try await source.load()
            let isNewest = turn > decided
            decided = max(turn, decided)
            let change = SettingsChange(
                from: running, to: isNewest ? loaded.settings : running, source.schema.declarations)
            running = change.applied
            threshold.level = running.log.level
            if !change.live.isEmpty { await apply(running) }
            await finished()
            return report(change, warnings: loaded.warnings)
        } catch {
            notifier.ready(status: "the new configuration is rejected, the old one stays: \(error.inOneLine)")
            for problem in error.problems {
                logger.error(
                    "The new configuration is rejected, the old one stays",
                    metadata: ["event": "configuration.rejected", "problem": "\(problem)"]
                )
            }
            throw ControlError(422, "badConfiguration", error.description)
        }
    }

    private func report(_ change: SettingsChange, warnings: [String]) -> ReloadReply {
        let waiting = change.needsRestart.joined(separator: ", ")
        notifier.ready(status: statusLine() + (waiting.isEmpty ? "" : "; waits for a restart: \(waiting)"))
        for warning in warnings {
            logger.warning("A variable is not known", metadata: ["event": "variable.unknown", "hint": "\(warning)"])
        }
        logger.notice(
            "The configuration is loaded again",
            metadata: [
                "event": "configuration.reloaded", "changed": "\(change.live.joined(separator: ","))",
                "needsRestart": "\(change.needsRestart.joined(separator: ","))",
            ]
        )
        return ReloadReply(reloaded: change.live, needsRestart: change.needsRestart)
    }
}
