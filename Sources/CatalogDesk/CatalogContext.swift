package import ControlAPI
package import Logging
package import PluginKit

/// What the desk has of its surroundings.
package struct CatalogContext: Sendable {
    /// The version of moviesync.
    package var version: String
    /// The language of the process as BCP 47 has it.
    package var language: String
    /// What the catalogs on the web are, in the order of a list.
    package var webCatalogs: [any WebCatalog]
    /// The catalogs that plugins in other processes are now.
    package var pluginCatalogs: @Sendable () -> [any Catalog]
    /// Reads a file whose content must not be seen by others.
    package var readSecret: @Sendable (String) throws -> [UInt8]
    /// The records that are there.
    package var library: any ControlService
    /// Milliseconds since 1970.
    package var wall: @Sendable () -> UInt64
    /// Milliseconds of a clock that only goes forward.
    package var monotonic: @Sendable () -> UInt64
    /// Returns when the monotonic clock has come to this moment, or the task is cancelled.
    package var sleep: @Sendable (_ until: UInt64) async -> Void
    /// For how long a text that is typed has to stand before it is searched for, in milliseconds.
    package var typingPause: UInt64 = 300
    package var logger: Logger

    package init(
        version: String, language: String, webCatalogs: [any WebCatalog],
        pluginCatalogs: @escaping @Sendable () -> [any Catalog] = { [] },
        readSecret: @escaping @Sendable (String) throws -> [UInt8], library: any ControlService,
        wall: @escaping @Sendable () -> UInt64, monotonic: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (_ until: UInt64) async -> Void, logger: Logger
    ) {
        self.version = version
        self.language = language
        self.webCatalogs = webCatalogs
        self.pluginCatalogs = pluginCatalogs
        self.readSecret = readSecret
        self.library = library
        self.wall = wall
        self.monotonic = monotonic
        self.sleep = sleep
        self.logger = logger
    }
}
