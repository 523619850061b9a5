/// What the control socket can ask of the plugins in other processes.
package protocol PluginService: Sendable {
    /// All configured plugins by name, from memory: it answers whatever they do.
    func plugins() -> [PluginReply]

    /// Starts a plugin anew, also one that is down. Throws `unknownPlugin` (404).
    func restart(plugin name: String) throws(ControlError)
}

/// No plugins at all.
package struct NoPlugins: PluginService {
    package init() {}

    package func plugins() -> [PluginReply] { [] }

    package func restart(plugin name: String) throws(ControlError) { throw .unknownPlugin(name) }
}
