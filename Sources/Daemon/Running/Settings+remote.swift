internal import OperatingSystem
internal import PluginKit
internal import SyncModel
internal import SystemPackage

extension Settings {
    /// The chosen remote's plugin, and what it makes the remote of.
    ///
    /// - Throws: a failure where these plugins are not those that the settings were checked with.
    func remote(of plugins: PluginRegistry) throws -> (plugin: any RemotePlugin, context: RemoteContext) {
        guard let plugin = plugins.remote(remotePlugin) else {
            throw CommandFailure(.configuration, "there is no remote called \(remotePlugin)")
        }
        let bases = Dictionary(uniqueKeysWithValues: collections.map { ($0.id, $0.base) })
        let depths = Dictionary(
            uniqueKeysWithValues: collections.map { ($0.id, plugins.collection($0.id)?.key.depth ?? 1) })
        let context = RemoteContext(values: values, bases: bases, depths: depths, stateFolder: state.string) {
            try SecretFile.read(at: $0)
        }
        return (plugin, context)
    }
}
