package import ControlAPI
internal import ControlServer
package import Logging
internal import OperatingSystem
internal import TestSupport

/// Serves `service` on a real socket in a folder of its own while `body` runs.
///
/// - Parameters:
///   - allowedUIDs: the users that may change something; nil: whoever runs the tests.
///   - logger: nil for one that says nothing.
package func withServedSocket<Result: Sendable>(
    _ service: any ControlService, plugins: any PluginService = NoPlugins(),
    catalogs: any CatalogService = NoCatalogs(), artwork: any ArtworkService = NoArtwork(),
    people: any PeopleService = NoPeople(),
    allowedUIDs: Set<UInt32>? = nil, logger: Logger? = nil,
    _ body: (_ socket: String) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { folder in
        let listener = try UnixListener.bind(path: "\(folder)/control.sock")
        let server = ControlServer(
            descriptor: listener.descriptor, service: service, plugins: plugins, catalogs: catalogs, artwork: artwork,
            people: people, allowedUIDs: allowedUIDs ?? [ThisProcess.user],
            logger: logger ?? Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let result = try await body(listener.path)
            group.cancelAll()
            return result
        }
    }
}
