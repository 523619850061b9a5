internal import ControlServer
internal import DatabaseServer
internal import FoundationEssentials
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import ServiceLifecycle
internal import SyncEngine
internal import SystemPackage
internal import Systemd

extension DaemonParts {
    /// The services of the daemon, in the order they start; they stop in the reverse order.
    func build(_ store: LocalStore, _ socket: ControlSocket) async throws -> [any Service] {
        let secret = LocalConnection.secret()
        let database = try localDatabase(AdminSecret(secret))
        let remote = try ConfiguredRemote.make(
            settings, local: database.map { LocalConnection(url: LocalServer.url(of: $0), secret: secret) },
            logger: logger)
        let engine = engine(store, remote)
        let reload = Reload(
            source: source, running: settings, threshold: threshold, notifier: notifier, logger: logger
        ) { engine.setMaxAhead($0.maxAhead.milliseconds) }
        engine.onReload { try await reload.reload() }
        let hangups = await HangupService(reload: reload)
        let notices = ServiceNotifications(
            notifier: notifier, logger: logger, lag: { engine.lagChanges() },
            isReady: { await engine.journalIsWatched() }, isAlive: { try await engine.isAlive() })
        let control = ControlServer(
            descriptor: socket.descriptor, service: engine, allowedUIDs: [0, ThisProcess.user], logger: logger)
        let services: [(any Service)?] = [database, engine, control, hangups, notices]
        return services.compactMap(\.self)
    }

    private func engine(_ store: LocalStore, _ remote: any Remote) -> SyncEngine {
        let settings = EngineSettings(
            journalPath: settings.journal.string, changesPath: settings.changeFeed.string,
            collections: settings.collections.map { ($0.id, $0.pull == .full ? .full : .incremental) },
            writeGuard: settings.remote.writeGuard == .etag ? .etag : .rules,
            clockMaxAhead: settings.maxAhead.milliseconds)
        return SyncEngine(
            settings: settings, store: store, remote: remote, registry: plugins, logger: logger,
            pid: ProcessInfo.processInfo.processIdentifier,
            wall: { UInt64(max(0, Date().timeIntervalSince1970 * 1000)) })
    }

    /// The embedded server, where it is the remote.
    private func localDatabase(_ own: AdminSecret) throws -> HubServer? {
        guard settings.remote.plugin == .local else { return nil }
        return try LocalServer.make(settings.local, own: own, logger: logger)
    }
}

extension Duration {
    /// Whole milliseconds; 0 for a negative duration.
    fileprivate var milliseconds: UInt64 { UInt64(max(0, self / .milliseconds(1))) }
}
