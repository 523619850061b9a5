internal import Artwork
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
        let (host, checks, hooks) = try pluginServices(store)
        let engine = engine(store, instance.remote, checks)
        engine.onChange { hooks.notify() }
        let desk = catalogDesk(engine, host)
        let artwork = artwork(desk, engine)
        var view = DaemonView(service: engine, plugins: host, hooks: hooks, catalogs: desk)
        let web = web(engine, catalogs: desk, artwork: artwork, view)
        view.web = web
        let heartbeat = heartbeat(view)
        let board = StatusBoard(notifier) { engine.statusLine }
        let reload = Reload(
            source: source, running: settings, threshold: threshold, board: board, logger: logger,
            finished: { await DaemonProcess.lookAgain(host, web, engine) }
        ) { change in
            // What may fail comes first, so that nothing has changed then.
            try await exchange(instance, engine, change)
            let settings = change.settings
            reconfigure(engine, settings)
            host.configure(settings.plugins)
            checks.configure(settings.plugins)
            hooks.takeOver(settings)
            desk.configure(CatalogKeys.settings(plugins.catalogs, settings))
            heartbeat.configure(HealthKeys.heartbeat(settings))
            reconfigure(artwork, settings)
            await web.configure(WebKeys.wish(settings))
        }
        engine.onReload { try await reload.reload() }
        let control = ControlServer(
            descriptor: socket.descriptor, service: engine, plugins: host, hooks: hooks, catalogs: desk,
            artwork: artwork, web: web, people: engine, allowedUIDs: [0, ThisProcess.user], logger: logger)
        // Plugins end last, so that one that does not want to takes no time from the engine; and pictures before those who
        // wait for them.
        let services: [(any Service)?] = [
            host, hooks, checks, instance.service.map(RemoteService.init), engine, desk, control, web, artwork,
            heartbeat, await ReloadSignalService(reload: reload), notices(engine, board),
        ]
        return services.compactMap(\.self)
    }

    /// What surrounds the daemon may have changed, whether or not its configuration has.
    private static func lookAgain(_ host: PluginHost, _ web: WebDoor, _ engine: SyncEngine) async -> Reload.Found {
        host.refreshSecrets()
        web.retry()
        let tokens = await engine.lookAgainAfterReload()
        return Reload.Found(changed: tokens.changed.map { "users.tokens.\($0)" }, problems: tokens.problems)
    }

    private func notices(_ engine: SyncEngine, _ board: StatusBoard) -> ServiceNotifications {
        ServiceNotifications(
            board: board, logger: logger, statusChanges: { engine.statusChanges() },
            isReady: { try await engine.journalIsWatched() }, lifeSigns: { engine.lifeSigns })
    }

    /// Lets the engine go on with another remote, or other collections, where these have changed.
    private func exchange(_ instance: RemoteInstance, _ engine: SyncEngine, _ change: Reload.Change) async throws {
        guard change.changesSession else { return }
        let (plugin, context) = try change.settings.remote(of: change.plugins)
        let remote =
            if let another = instance.another { try await another(context) } else {
                try await plugin.makeRemote(context).remote
            }
        try await engine.change(to: RemoteSession(engineSettings(change.settings), remote, change.plugins))
    }

    private func heartbeat(_ view: DaemonView) -> Heartbeat {
        let clock = EngineClock.system(wall: DaemonProcess.wall)
        return Heartbeat(
            HealthKeys.heartbeat(settings), health: { await view.health() },
            sleep: { await clock.sleep(clock.monotonic() + $0) }, logger: logger)
    }

    private func reconfigure(_ artwork: ArtworkDesk, _ settings: Settings) {
        artwork.configure(
            places: CatalogKeys.imagePlaces(plugins.catalogs, settings), capacity: settings[ArtworkKeys.capacity] << 20)
        setLogFormat(settings.log.format)
    }

    /// Puts in force in the engine what a reload has read.
    private func reconfigure(_ engine: SyncEngine, _ settings: Settings) {
        engine.setMaxAhead(settings[CoreKeys.maxAhead].milliseconds)
        engine.setKeep(settings[CoreKeys.keepTombstones].milliseconds)
        engine.setFeed(FeedKeys.limits(settings))
        engine.setNodeName(settings[CoreKeys.nodeName] ?? ThisMachine.name)
        engine.setUsers(settings.users)
    }

    /// What runs plugins, with those who use what they say that they are.
    private func pluginServices(
        _ store: LocalStore
    ) throws -> (host: PluginHost, checks: PluginChecks, hooks: HookDelivery) {
        let (declared, declare) = AsyncStream<DeclaredHook>.makeStream()
        let (heard, hear) = AsyncStream<(plugin: String, isCheck: Bool)>.makeStream()
        let host = pluginHost { plugin, declaration in
            hear.yield((plugin.name, declaration.provides["check"] != nil))
            guard declaration.provides["hook"] != nil else { return }
            let collections = declaration.collections("hook", plugin.collections)
            declare.yield(DeclaredHook(plugin: plugin.name, collections: collections))
        }
        return (
            host, try PluginChecks(settings.plugins, host, store, heard: heard),
            try hookDelivery(store, host, declared: declared)
        )
    }

    /// - Parameter greeted: is told of plugins that are ready.
    private func pluginHost(
        greeted: @escaping @Sendable (PluginSettings, PluginDeclaration) -> Void
    ) -> PluginHost {
        let clock = EngineClock.system(wall: DaemonProcess.wall)
        var context = PluginContext(
            version: MoviesyncVersion.current, language: ThisProcess.language,
            readSecret: { try SecretFile.read(at: $0) }, wall: clock.wall, monotonic: clock.monotonic,
            sleep: clock.sleep, logger: logger)
        context.greeted = greeted
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

    private func engine(
        _ store: LocalStore, _ remote: any Remote, _ checks: any CheckService
    ) -> SyncEngine {
        SyncEngine(
            settings: engineSettings(settings), store: store, remote: remote, registry: plugins, checks: checks,
            logger: logger, pid: ProcessInfo.processInfo.processIdentifier, clock: .system(wall: DaemonProcess.wall))
    }

    private func engineSettings(_ settings: Settings) -> EngineSettings {
        var engine = EngineSettings(
            journalPath: settings.journal.string, changesPath: settings.changeFeed.string,
            collections: settings.collections.map { ($0.id, $0.pull, $0.merge) },
            writeGuard: settings[RemoteKeys.writeGuard],
            clockMaxAhead: settings[CoreKeys.maxAhead].milliseconds,
            keep: settings[CoreKeys.keepTombstones].milliseconds, feed: FeedKeys.limits(settings),
            nodeName: settings[CoreKeys.nodeName] ?? ThisMachine.name)
        engine.places = settings.places
        engine.meta = settings[RemoteKeys.meta] ?? "none"
        engine.users = settings.users
        // The service manager's stands where its unit says.
        engine.socketPath = inherited.control == nil ? settings.socket.string : nil
        engine.sessionsPath = settings.state.appending("sessions.json").string
        return engine
    }
}
