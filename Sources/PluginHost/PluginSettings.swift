package import SyncModel

/// What the configuration says about one plugin.
package struct PluginSettings: Hashable, Sendable {
    /// How it is reached.
    package enum Way: Hashable, Sendable {
        /// A program and its arguments: trusted as this process is.
        case command([String])
        /// The path of a Unix socket: a unit of its own.
        case socket(String)
    }

    package var name: String
    package var way: Way
    /// What it is told in `hello`.
    package var settings: [String: JSONValue]
    /// By name, the absolute path of the file that holds the secret.
    package var secrets: [String: String]
    /// The collections it is used for; empty for all.
    package var collections: [String]
    /// What is done with what it should judge while it can't be asked; nil where nothing is said.
    package var whenDown: String?

    package init(
        name: String, way: Way, settings: [String: JSONValue] = [:], secrets: [String: String] = [:],
        collections: [String] = []
    ) {
        self.name = name
        self.way = way
        self.settings = settings
        self.secrets = secrets
        self.collections = collections
    }
}
