internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import ServiceLifecycle
internal import SyncEngine
internal import SystemPackage
internal import Systemd

/// All that the command line, the configuration and the service manager say about one run of the daemon.
struct DaemonProcess {
    let source: SettingsSource
    let loaded: LoadedSettings
    let plugins: PluginRegistry
    let threshold: LogThreshold
    /// What the service manager handed over.
    let inherited: InheritedSockets
    let logger: Logger
    /// Puts another shape of log lines in force.
    var setLogFormat: @Sendable (Settings.Log.Format) -> Void = { _ in }
    let notifier = SystemNotifier()

    var settings: Settings { loaded.settings }

    /// Builds everything and runs it until it is told to stop; what can't be built, or fails, is thrown.
    func run() async throws {
        for warning in loaded.warnings {
            logger.warning("A variable is not known", metadata: ["event": "variable.unknown", "hint": "\(warning)"])
        }
        let opening = StateOpening(folder: settings.state.string, notifier: notifier, logger: logger)
        let store = try await opening.opened { folder in
            try LocalStore(folder: folder, lastTold: ChangeFeed.lastSequence(at: settings.changeFeed.string))
        }
        do {
            try await serve(store)
        } catch {
            await close(store)
            throw error
        }
        await close(store)
        logger.notice("The daemon has stopped", metadata: ["event": "daemon.stopped"])
    }

    private func close(_ store: LocalStore) async {
        await notifier.extendingTimeout("closing the state") { store.close() }
    }

    private func serve(_ store: LocalStore) async throws {
        // Where this may not, programs can't append, and health says so.
        try? Folder.make(Folder.containing(settings.journal.string), mode: 0o770)
        let socket = try ControlSocket(inherited: inherited.control, path: settings.socket)
        defer { socket.removePath() }
        try await ServiceGroup(configuration: .daemon(try await services(store, socket), logger: logger)).run()
    }
}
