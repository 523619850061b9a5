internal import ControlAPI
internal import ControlServer
internal import Logging
internal import SystemPackage
internal import Systemd
internal import WebFace

extension DaemonProcess {
    /// The web page, and what makes links to it.
    func web(
        _ service: any ControlService, catalogs: any CatalogService, artwork: any ArtworkService, _ view: DaemonView
    ) -> WebDoor {
        let (settings, logger) = (settings, logger)
        return WebDoor(settings[WebKeys.listen], inherited: inherited.page, logger: logger) { listeners in
            try WebFace(
                listeners,
                WebSettings(
                    hosts: settings[WebKeys.hosts], readOnly: settings[WebKeys.readOnly],
                    sessions: settings.state.appending("web-sessions.json").string),
                DaemonServices(service: service, catalogs: catalogs, artwork: artwork) { await view.status() },
                .init(wall: DaemonProcess.wall) { try await Task.sleep(for: $0) }, logger: logger)
        }
    }
}
