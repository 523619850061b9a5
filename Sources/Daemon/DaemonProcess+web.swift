internal import ControlAPI
internal import ControlServer
internal import Logging
internal import SystemPackage
internal import WebFace

extension DaemonProcess {
    /// The web page, and what makes links to it; no page where none is configured. One that can't be served is a line in
    /// the log: the sync goes on without it.
    func web(
        _ service: any ControlService, catalogs: any CatalogService, artwork: any ArtworkService, _ view: DaemonView
    ) -> (page: WebFace?, links: any WebService) {
        guard let listen = settings[WebKeys.listen] else { return (nil, NoWeb()) }
        do {
            let page = try WebFace(
                WebSettings(
                    host: listen.host, port: listen.port, hosts: settings[WebKeys.hosts],
                    readOnly: settings[WebKeys.readOnly],
                    sessions: settings.state.appending("web-sessions.json").string),
                DaemonServices(service: service, catalogs: catalogs, artwork: artwork) { await view.status() },
                .init(wall: DaemonProcess.wall) { try await Task.sleep(for: $0) }, logger: logger)
            return (page, page)
        } catch {
            let reason = CommandFailure(error).message
            logger.error("The web page can't be served", metadata: ["event": "web.off", "error": "\(reason)"])
            return (nil, NoWeb(because: reason))
        }
    }
}
