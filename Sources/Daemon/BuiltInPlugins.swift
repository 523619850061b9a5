internal import Artists
internal import Firebase
internal import Movies
internal import PluginKit

extension PluginRegistry {
    /// The plugins compiled into this daemon; one line each.
    static func builtIn() throws(DuplicatePlugin) -> PluginRegistry {
        try PluginRegistry(
            collections: [
                Movies(),
                Artists(),
            ],
            remotes: [
                LocalPlugin(),
                FirebasePlugin(),
            ])
    }
}
