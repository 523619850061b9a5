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
        let (sessions, logger) = (settings.state.appending("web-sessions.json").string, logger)
        return WebDoor(WebKeys.wish(settings), inherited: inherited.page, logger: logger) { listeners, settings in
            try WebFace(
                listeners, settings, sessions: sessions,
                DaemonServices(service: service, catalogs: catalogs, artwork: artwork) { await view.status() },
                .init(wall: DaemonProcess.wall) { try await Task.sleep(for: $0) }, logger: logger)
        }
    }
}
