package import PluginKit
package import SyncModel

/// Every key that some part of the daemon declares: the core, or a built-in plugin, enabled or not.
package struct SettingsSchema: Sendable {
    package let collections: [CollectionID]
    /// Those whose keys are made of fields.
    let keyed: Set<CollectionID>
    let enabledByDefault: [CollectionID]
    package let remotes: [any RemotePlugin]
    package let catalogs: [any WebCatalog]
    /// In the order of the documents, sections together.
    package let declarations: [SettingDeclaration]

    package init(_ plugins: PluginRegistry) {
        self.init(collections: plugins.collections, remotes: plugins.remotes, catalogs: plugins.catalogs)
    }

    init(collections plugins: [any CollectionPlugin], remotes: [any RemotePlugin], catalogs: [any WebCatalog]) {
        collections = plugins.map(\.id)
        keyed = Set(plugins.filter { $0.key.isKeyed }.map(\.id))
        enabledByDefault = plugins.filter(\.isEnabledByDefault).map(\.id)
        self.remotes = remotes
        self.catalogs = catalogs
        declarations = Self.bySection(
            CoreKeys.declarations(collections, enabled: enabledByDefault, remotes) + remotes.flatMap(\.keys)
                + CatalogKeys.declarations(catalogs) + ArtworkKeys.declarations + HealthKeys.declarations
                + FeedKeys.declarations + WebKeys.declarations)
    }

    /// Moves each key to the others of its section.
    private static func bySection(_ declarations: [SettingDeclaration]) -> [SettingDeclaration] {
        var sections: [String] = []
        for section in declarations.map({ $0.path[0] }) where !sections.contains(section) { sections.append(section) }
        return sections.flatMap { section in declarations.filter { $0.path[0] == section } }
    }

    package var defaults: [String: String] {
        Dictionary(declarations.compactMap { key in key.builtIn.map { (key.name, $0) } }) { first, _ in first }
    }
}
