internal import CatalogDesk
internal import ControlAPI
internal import ControlServer
internal import FoundationEssentials
internal import HookDelivery
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import PluginHost
internal import PluginKit
internal import PluginWire
internal import ServiceLifecycle
internal import SyncEngine
internal import SyncModel
internal import SystemPackage
internal import Systemd

extension DaemonProcess {
    /// The services of the daemon, in the order they start; they stop in the reverse order.
    func services(_ store: LocalStore, _ socket: ControlSocket) async throws -> [any Service] {
        let (plugin, context) = try settings.remote(of: plugins)
        let instance = try await plugin.makeRemote(context)
        let engine = engine(store, instance.remote)
        let (declared, declare) = AsyncStream<DeclaredHook>.makeStream()
        let host = pluginHost { declare.yield($0) }
        let hooks = try hookDelivery(store, host, declared: declared)
        engine.onChange { hooks.notify() }
        let desk = catalogDesk(engine, host)
        let reload = Reload(
            source: source, running: settings, threshold: threshold, notifier: notifier, logger: logger,
            finished: {
                host.refreshSecrets()
                await engine.retryAfterReload()
            }
        ) {
            engine.setMaxAhead($0[CoreKeys.maxAhead].milliseconds)
            engine.setKeep($0[CoreKeys.keepTombstones].milliseconds)
            engine.setNodeName($0[CoreKeys.nodeName] ?? ThisMachine.name)
            host.configure($0.plugins)
            hooks.takeOver($0)
            desk.configure(CatalogKeys.settings(plugins.catalogs, $0))
        }
        engine.onReload { try await reload.reload() }
        let hangups = await ReloadSignalService(reload: reload)
        let notices = ServiceNotifications(
            notifier: notifier, logger: logger, lag: { engine.lagChanges() },
            isReady: { await engine.journalIsWatched() }, isAlive: { try await engine.isAlive() })
        let control = ControlServer(
            descriptor: socket.descriptor, service: engine, plugins: host, hooks: hooks, catalogs: desk,
            allowedUIDs: [0, ThisProcess.user], logger: logger)
        // Plugins end last, so that one that does not want to takes no time from the engine.
        let services: [(any Service)?] = [
            host, hooks, instance.service.map(RemoteService.init), engine, desk, control, hangups, notices,
        ]
        return services.compactMap(\.self)
    }

    /// - Parameter declare: is told of plugins that are hooks.
    private func pluginHost(declare: @escaping @Sendable (DeclaredHook) -> Void) -> PluginHost {
        let clock = EngineClock.system(wall: DaemonProcess.wall)
        var context = PluginContext(
            version: MoviesyncVersion.current, language: ThisProcess.language,
            readSecret: { try SecretFile.read(at: $0) }, wall: clock.wall, monotonic: clock.monotonic,
            sleep: clock.sleep, logger: logger)
        context.greeted = { settings, declaration in
            guard declaration.provides["hook"] != nil else { return }
            declare(
                DeclaredHook(plugin: settings.name, collections: declaration.collections("hook", settings.collections)))
        }
        return PluginHost(settings.plugins, context)
    }

    private func catalogDesk(_ engine: SyncEngine, _ host: PluginHost) -> CatalogDesk {
        let clock = EngineClock.system(wall: DaemonProcess.wall)
        return CatalogDesk(
            CatalogKeys.settings(plugins.catalogs, settings),
            CatalogContext(
                version: MoviesyncVersion.current, language: ThisProcess.language, webCatalogs: plugins.catalogs,
                pluginCatalogs: {
                    host.catalogs { collection in
                        engine.schemas().first { $0.name == collection.name }?.titleField ?? "title"
                    }
                },
                readSecret: { try SecretFile.read(at: $0) }, library: engine, wall: clock.wall,
                monotonic: clock.monotonic, sleep: clock.sleep, logger: logger))
    }

    /// Milliseconds since 1970.
    static func wall() -> UInt64 { UInt64(max(0, Date().timeIntervalSince1970 * 1000)) }

    private func engine(_ store: LocalStore, _ remote: any Remote) -> SyncEngine {
        let settings = EngineSettings(
            journalPath: settings.journal.string, changesPath: settings.changeFeed.string,
            collections: settings.collections.map { ($0.id, $0.pull, $0.merge) },
            writeGuard: settings[RemoteKeys.writeGuard],
            clockMaxAhead: settings[CoreKeys.maxAhead].milliseconds,
            keep: settings[CoreKeys.keepTombstones].milliseconds,
            nodeName: settings[CoreKeys.nodeName] ?? ThisMachine.name)
        return SyncEngine(
            settings: settings, store: store, remote: remote, registry: plugins, logger: logger,
            pid: ProcessInfo.processInfo.processIdentifier,
            clock: .system(wall: DaemonProcess.wall))
    }
}
