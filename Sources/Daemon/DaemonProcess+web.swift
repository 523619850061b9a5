internal import ControlAPI
internal import ControlServer
internal import Logging
internal import SystemPackage
internal import WebFace

extension DaemonProcess {
    /// The web page, and what makes links to it.
    func web(
        _ service: any ControlService, catalogs: any CatalogService, artwork: any ArtworkService, _ view: DaemonView
    ) -> WebDoor {
        let (settings, logger) = (settings, logger)
        return WebDoor(settings[WebKeys.listen], logger: logger) { listen in
            try WebFace(
                WebSettings(
                    host: listen.host, port: listen.port, hosts: settings[WebKeys.hosts],
                    readOnly: settings[WebKeys.readOnly],
                    sessions: settings.state.appending("web-sessions.json").string),
                DaemonServices(service: service, catalogs: catalogs, artwork: artwork) { await view.status() },
                .init(wall: DaemonProcess.wall) { try await Task.sleep(for: $0) }, logger: logger)
        }
    }
}
