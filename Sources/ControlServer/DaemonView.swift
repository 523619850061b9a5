package import ControlAPI

/// The daemon as a whole: what the engine says of itself, with the plugins in other processes, and the page.
package struct DaemonView: Sendable {
    let service: any ControlService
    let plugins: any PluginService
    let hooks: any HookService
    let catalogs: any CatalogService
    /// The page may ask this view before it can be a part of it.
    package var web: any WebService

    package init(
        service: any ControlService, plugins: any PluginService, hooks: any HookService, catalogs: any CatalogService,
        web: any WebService = NoWeb()
    ) {
        self.service = service
        self.plugins = plugins
        self.hooks = hooks
        self.catalogs = catalogs
        self.web = web
    }

    /// The state of the daemon, with its plugins, its hooks and its health.
    package func status() async -> StatusSnapshot {
        var status = service.status()
        let plugins = plugins.plugins()
        status.plugins = plugins.isEmpty ? nil : plugins
        let hooks = hooks.hooks().map { hook in
            var hook = hook
            hook.lag = max(0, status.lastChange - hook.cursor)
            if hook.lag == 0 { hook.lagSeconds = nil }
            return hook
        }
        status.hooks = hooks.isEmpty ? nil : hooks
        status.health = await health()
        return status
    }

    /// A plugin that does not run, or a page that can't be served, is a warning, never more: the sync goes on without it.
    package func health() async -> HealthReport {
        var health = service.health()
        for plugin in plugins.plugins() {
            let reason = plugin.reason ?? ""
            switch plugin.state {
            case .down:
                health.reasons.append(
                    "the plugin \(plugin.name) is down: \(reason): see moviesync plugin restart \(plugin.name)")
            case .refused: health.reasons.append("the plugin \(plugin.name) can't be used: \(reason)")
            case .running where plugin.reason != nil: health.reasons.append("the plugin \(plugin.name): \(reason)")
            case .idle, .starting, .running, .stopping, .resting: continue
            }
            if health.level == .ok { health.level = .warning }
        }
        let fromCatalogs = await catalogs.catalogs().compactMap(DaemonView.complaint)
        var others = hooks.hooks().compactMap(DaemonView.complaint) + fromCatalogs
        if let trouble = web.trouble { others.append("the web page can't be served: \(trouble)") }
        health.reasons += others
        if health.level == .ok, !others.isEmpty { health.level = .warning }
        return health
    }

    /// One without a key, or that asks for patience, is no news either.
    private static func complaint(about catalog: CatalogReply) -> String? {
        let reason = catalog.reason ?? "see moviesync catalog"
        switch catalog.state {
        case .down: return "the catalog \(catalog.name) fails: \(reason)"
        case .unauthorized: return "the catalog \(catalog.name) does not accept its key: \(reason)"
        case .ok, .limited, .noKey: return nil
        }
    }

    /// A hook that failed once or twice is no news.
    private static func complaint(about hook: HookReply) -> String? {
        let reason = hook.reason ?? ""
        switch hook.state {
        case .refused: return "the hook \(hook.name) can't be used: \(reason)"
        case .off: return "the hook \(hook.name) is off: \(reason): see moviesync hook retry \(hook.name)"
        case .waiting where hook.attempts > 2:
            return "the hook \(hook.name) has failed \(hook.attempts) times: \(reason)"
        case .ready, .delivering, .waiting:
            guard hook.quarantined > 0 else { return nil }
            return "the hook \(hook.name) did not take \(hook.quarantined): see moviesync hook failed \(hook.name)"
        }
    }
}
