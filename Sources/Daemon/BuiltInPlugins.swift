internal import BuiltInCollections
internal import Catalogs
internal import Firebase
internal import PluginKit

extension PluginRegistry {
    /// The plugins compiled into this daemon, and `collections`.
    static func builtIn(adding collections: [any CollectionPlugin] = []) throws(DuplicatePlugin) -> PluginRegistry {
        try PluginRegistry(
            collections: BuiltInCollections.all + collections,
            remotes: [
                LocalPlugin(),
                FirebasePlugin(),
            ], catalogs: BuiltInCatalogs.all)
    }
}
