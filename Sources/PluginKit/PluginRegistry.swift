public import SyncModel

/// The plugins compiled into a daemon. A value; the core knows no plugin by name.
public struct PluginRegistry: Sendable {
    public let collections: [any CollectionPlugin]
    /// The first one is what a daemon without configuration uses.
    public let remotes: [any RemotePlugin]
    /// The catalogs on the web, in the order of a list.
    public let catalogs: [any WebCatalog]

    /// - Throws: ``DuplicatePlugin`` where two of a kind have the same name, or declare the same key.
    public init(
        collections: [any CollectionPlugin], remotes: [any RemotePlugin] = [], catalogs: [any WebCatalog] = []
    ) throws(DuplicatePlugin) {
        for names in [
            collections.map(\.id.name), remotes.map(\.name), remotes.flatMap { $0.keys.map(\.name) },
            catalogs.map(\.description.name),
        ] {
            var seen: Set<String> = []
            for name in names where !seen.insert(name).inserted { throw DuplicatePlugin(name: name) }
        }
        self.collections = collections
        self.remotes = remotes
        self.catalogs = catalogs
    }

    /// The collection with this name, or nil.
    public func collection(_ id: CollectionID) -> (any CollectionPlugin)? {
        collections.first { $0.id == id }
    }

    /// The remote with this name, or nil.
    public func remote(_ name: String) -> (any RemotePlugin)? {
        remotes.first { $0.name == name }
    }
}
