package import ControlAPI
package import Logging
package import PluginKit
package import Systemd

/// Reads the configuration again while the daemon runs, and puts in force what can change.
///
/// A bad configuration changes nothing. Reloads happen one after the other.
package actor Reload {
    /// What holds from now on.
    package struct Change: Sendable {
        package var settings: Settings
        /// The plugins that the settings were checked with.
        package var plugins: PluginRegistry
        /// Whether what runs with the remote has to begin anew.
        package var changesSession: Bool
    }

    /// What has changed around the daemon, beside its configuration.
    package struct Found: Sendable {
        /// The keys whose files hold something else.
        package var changed: [String] = []
        /// What can't be read: a line for people each.
        package var problems: [String] = []
    }

    private let source: SettingsSource
    private let threshold: LogThreshold
    private let board: StatusBoard
    private let logger: Logger
    private let apply: @Sendable (Change) async throws -> Void
    private let finished: @Sendable () async -> Found
    private var running: Settings
    private var declarations: [SettingDeclaration]
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - board: shows what becomes of reloads.
    ///   - finished: is called after each reload that was not refused: what surrounds the daemon may have changed too.
    ///   - apply: is called with what holds from now on, where something has changed. Where it throws, nothing has.
    package init(
        source: SettingsSource, running: Settings, threshold: LogThreshold, board: StatusBoard, logger: Logger,
        finished: @escaping @Sendable () async -> Found = { Found() },
        apply: @escaping @Sendable (Change) async throws -> Void
    ) {
        self.source = source
        self.running = running
        declarations = source.schema.declarations
        self.threshold = threshold
        self.board = board
        self.logger = logger
        self.finished = finished
        self.apply = apply
    }

    /// The settings that hold now.
    package var settings: Settings { running }

    /// Reloads, and tells the service manager about it from the first moment to the last.
    ///
    /// - Throws: ``ControlError`` `badConfiguration` (422) with every problem; nothing has changed then.
    package func reload() async throws(ControlError) -> ReloadReply {
        await begin()
        defer { end() }
        board.notifier.reloading()
        let loaded: LoadedSettings
        do {
            loaded = try await source.load()
        } catch {
            throw refused(error.problems.map(\.description), error.inOneLine)
        }
        let known = Set(declarations.map(\.name))
        let all = declarations + loaded.declarations.filter { !known.contains($0.name) }
        let change = SettingsChange(from: running, to: loaded.settings, all)
        if !change.live.isEmpty {
            do {
                try await apply(
                    Change(settings: change.applied, plugins: loaded.plugins, changesSession: change.changesSession))
            } catch {
                let failure = CommandFailure(error)
                throw refused(failure.lines, failure.message)
            }
        }
        running = change.applied
        declarations = loaded.declarations
        threshold.level = running.log.level
        return report(change, await finished(), warnings: loaded.warnings)
    }

    /// Returns when no other reload is under way.
    private func begin() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }

    private func refused(_ problems: [String], _ line: String) -> ControlError {
        board.ready(note: "the new configuration is rejected, the old one stays: \(line)")
        for problem in problems {
            logger.error(
                "The new configuration is rejected, the old one stays",
                metadata: ["event": "configuration.rejected", "problem": "\(problem)"]
            )
        }
        return ControlError(422, "badConfiguration", problems.joined(separator: "\n"))
    }

    private func report(_ change: SettingsChange, _ found: Found, warnings: [String]) -> ReloadReply {
        let changed = change.live + found.changed
        let waiting = change.needsRestart.joined(separator: ", ")
        board.ready(note: waiting.isEmpty ? nil : "waits for a restart: \(waiting)")
        for warning in warnings {
            logger.warning("A variable is not known", metadata: ["event": "variable.unknown", "hint": "\(warning)"])
        }
        logger.notice(
            "The configuration is loaded again",
            metadata: [
                "event": "configuration.reloaded", "changed": "\(changed.joined(separator: ","))",
                "needsRestart": "\(change.needsRestart.joined(separator: ","))",
            ]
        )
        return ReloadReply(reloaded: changed, needsRestart: change.needsRestart, problems: found.problems)
    }
}
