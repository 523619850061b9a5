package import Logging
package import PluginLink
package import PluginWire

/// What all plugins of a host share.
package struct PluginContext: Sendable {
    /// The version of moviesync.
    package var version: String
    /// A tag such as `en`.
    package var language: String
    package var limits: PluginLimits
    /// Reads a file whose content must not be seen by others.
    package var readSecret: @Sendable (String) throws -> [UInt8]
    /// Makes the way to a plugin; throws where that can't be used.
    package var makeLink: @Sendable (PluginSettings) throws -> any PluginLink
    /// Milliseconds since 1970.
    package var wall: @Sendable () -> UInt64
    /// Milliseconds of a clock that only goes forward.
    package var monotonic: @Sendable () -> UInt64
    /// Returns when the monotonic clock has come to this moment, or the task is cancelled.
    package var sleep: @Sendable (_ until: UInt64) async -> Void
    package var logger: Logger
    /// Told of each plugin that is ready, and again each time that it was started; returns at once, and calls nothing here.
    package var greeted: @Sendable (PluginSettings, PluginDeclaration) -> Void = { _, _ in }

    package init(
        version: String, language: String = "en", limits: PluginLimits = PluginLimits(),
        readSecret: @escaping @Sendable (String) throws -> [UInt8],
        makeLink: @escaping @Sendable (PluginSettings) throws -> any PluginLink = PluginContext.link,
        wall: @escaping @Sendable () -> UInt64, monotonic: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (_ until: UInt64) async -> Void, logger: Logger
    ) {
        self.version = version
        self.language = language
        self.limits = limits
        self.readSecret = readSecret
        self.makeLink = makeLink
        self.wall = wall
        self.monotonic = monotonic
        self.sleep = sleep
        self.logger = logger
    }

    /// A program or a socket, as the settings say.
    package static func link(_ settings: PluginSettings) throws -> any PluginLink {
        switch settings.way {
        case .socket(let path): return SocketLink(path: path)
        case .command(let words):
            let variables = PluginSurroundings.variables(for: settings.name)
            let program = try PluginProgram(
                words.first ?? "", searchPath: variables["PATH"] ?? PluginSurroundings.standardPath)
            return ChildLink(program: program.path, arguments: Array(words.dropFirst()), environment: variables)
        }
    }

    /// What the plugin is told in `hello`; throws where a secret can't be read.
    func greeting(_ settings: PluginSettings) throws -> PluginGreeting {
        PluginGreeting(
            version: version, name: settings.name, settings: settings.settings,
            secrets: try settings.secrets.mapValues { String(decoding: try readSecret($0), as: UTF8.self) },
            collections: settings.collections, language: language)
    }
}
