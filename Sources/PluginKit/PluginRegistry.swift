public import SyncModel

/// The plugins compiled into a daemon. A value; the core knows no plugin by name.
public struct PluginRegistry: Sendable {
    public let collections: [any CollectionPlugin]

    /// - Throws: ``DuplicatePlugin`` where two have the same name.
    public init(collections: [any CollectionPlugin]) throws(DuplicatePlugin) {
        var seen: Set<CollectionID> = []
        for plugin in collections where !seen.insert(plugin.id).inserted {
            throw DuplicatePlugin(name: plugin.id.name)
        }
        self.collections = collections
    }

    /// The collection with this name, or nil.
    public func collection(_ id: CollectionID) -> (any CollectionPlugin)? {
        collections.first { $0.id == id }
    }
}

/// Two plugins of one kind have the same name.
public struct DuplicatePlugin: Error, Sendable, CustomStringConvertible {
    public let name: String
    public var description: String { "two built-in plugins are called \(name): one of them must be renamed" }
}
