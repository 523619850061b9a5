internal import Firebase
internal import OperatingSystem
internal import PluginKit
internal import SyncModel
internal import SystemPackage

extension Settings {
    /// What tells for each collection whether the remote keeps it where it did before.
    var places: [CollectionID: String] {
        let database = self[FirebaseKeys.url].map { "\($0.root) \($0.namespace ?? "")" } ?? ""
        return Dictionary(
            uniqueKeysWithValues: collections.map { ($0.id, "\(remotePlugin) \(database)/\($0.base)") })
    }

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
