package import SyncModel

/// What `hello` tells a plugin.
package struct PluginGreeting: Hashable, Sendable {
    /// The versions of the protocol that this side speaks.
    package static let protocols: [Int64] = [1]

    package var version: String
    /// The plugin's name in the configuration.
    package var name: String
    package var settings: [String: JSONValue]
    package var secrets: [String: String]
    /// The collections it is to be used for; empty for all.
    package var collections: [String]
    /// A tag such as `en` or `de-AT`.
    package var language: String

    package init(
        version: String, name: String, settings: [String: JSONValue] = [:], secrets: [String: String] = [:],
        collections: [String] = [], language: String = "en"
    ) {
        self.version = version
        self.name = name
        self.settings = settings
        self.secrets = secrets
        self.collections = collections
        self.language = language
    }

    /// The arguments of the call.
    package var arguments: JSONValue {
        .object([
            "protocols": .array(PluginGreeting.protocols.map(JSONValue.integer)), "moviesync": .string(version),
            "name": .string(name), "settings": .object(settings),
            "secrets": .object(secrets.mapValues(JSONValue.string)),
            "collections": .array(collections.map(JSONValue.string)), "language": .string(language),
        ])
    }
}
