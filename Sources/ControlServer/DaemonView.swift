internal import ControlAPI

/// The daemon as a whole: what the engine says of itself, with the plugins in other processes.
struct DaemonView: Sendable {
    let service: any ControlService
    let plugins: any PluginService

    func status() -> StatusSnapshot {
        var status = service.status()
        let plugins = plugins.plugins()
        status.plugins = plugins.isEmpty ? nil : plugins
        return status
    }

    /// A plugin that does not run is a warning, never more: the sync goes on without it.
    func health() -> HealthReport {
        var health = service.health()
        for plugin in plugins.plugins() {
            let reason = plugin.reason ?? ""
            switch plugin.state {
            case .down:
                health.reasons.append(
                    "the plugin \(plugin.name) is down: \(reason): see moviesync plugin restart \(plugin.name)")
            case .refused: health.reasons.append("the plugin \(plugin.name) can't be used: \(reason)")
            case .idle, .starting, .running, .stopping, .resting: continue
            }
            if health.level == .ok { health.level = .warning }
        }
        return health
    }
}
