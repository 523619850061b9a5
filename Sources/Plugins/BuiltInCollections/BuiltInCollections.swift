internal import Artists
internal import Movies
package import PluginKit

/// The collections that daemon and tool are compiled with.
package enum BuiltInCollections {
    /// One line each.
    package static let all: [any CollectionPlugin] = [
        Movies(),
        Artists(),
    ]
}
