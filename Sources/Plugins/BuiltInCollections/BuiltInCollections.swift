internal import Artists
internal import DeclaredCollections
internal import Movies
package import PluginKit

/// The collections that daemon and tool are compiled with.
package enum BuiltInCollections {
    package static let all: [any CollectionPlugin] = films + PeopleCollections.all

    /// One line each.
    private static let films: [any CollectionPlugin] = [
        Movies(),
        Artists(),
    ]
}
