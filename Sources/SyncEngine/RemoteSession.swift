package import PluginKit
internal import SyncCore
package import SyncModel

/// What of the engine a reload may exchange: the remote, and the collections that are kept equal with it.
package struct RemoteSession: Sendable {
    package let remote: any Remote
    package let registry: PluginRegistry
    /// The enabled collections, in the order of the configuration.
    package let collections: [(id: CollectionID, pull: PullMode, merge: MergeMode)]
    package let writeGuard: WriteGuard
    /// What stands for the place where the remote keeps a collection.
    package let places: [CollectionID: String]
    let meta: String
    /// What the enabled collections say.
    let rules: [CollectionID: CollectionRules]

    /// - Parameters:
    ///   - remote: belongs to the session, which shuts it down.
    ///   - registry: the plugins; each collection of `settings` must be one of them.
    package init(_ settings: EngineSettings, _ remote: any Remote, _ registry: PluginRegistry) {
        self.remote = remote
        self.registry = registry
        collections = settings.collections
        writeGuard = settings.writeGuard
        places = settings.places
        meta = settings.meta
        var rules: [CollectionID: CollectionRules] = [:]
        for collection in settings.collections {
            rules[collection.id] = registry.collection(collection.id)?.rules(collection.merge)
        }
        self.rules = rules
    }
}
