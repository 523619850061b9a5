package import ControlAPI

/// The daemon as the page sees it: what the control socket's routes ask too, and nothing else.
package struct DaemonServices: Sendable {
    let service: any ControlService
    let catalogs: any CatalogService
    let artwork: any ArtworkService
    /// The state of the daemon with its plugins, its hooks and its health.
    let status: @Sendable () async -> StatusSnapshot

    package init(
        service: any ControlService, catalogs: any CatalogService, artwork: any ArtworkService,
        status: @escaping @Sendable () async -> StatusSnapshot
    ) {
        self.service = service
        self.catalogs = catalogs
        self.artwork = artwork
        self.status = status
    }
}
