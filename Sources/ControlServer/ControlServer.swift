package import ControlAPI
internal import HTTPListening
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization

extension UnreadAnswer {
    /// An error like any other of the control socket.
    fileprivate static let unreadable = UnreadAnswer(type: "application/json") { status in
        let error: ControlError =
            status == 408
            ? ControlError(408, "tooSlow", "the request did not come to its end in time: send it again")
            : .badRequest(
                "badRequest", "this can't be read as a request of HTTP/1.1: its head is malformed or too long")
        return (try? ControlJSON.text(error)).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    }
}

/// Answers the control socket: HTTP/1.1 over a Unix socket that somebody else has bound and is listening on.
///
/// A plain accept loop instead of Hummingbird's application: it serves bound and inherited sockets alike, ends open
/// event streams at once when the daemon stops, and wakes nobody while idle.
package final class ControlServer: Service {
    private let descriptor: CInt
    private let http: HTTP1Channel
    private let logger: Logger

    /// - Parameter descriptor: a listening Unix socket; ``run()`` takes it over and closes it.
    /// - Parameter allowedUIDs: the user ids that may change something; everybody who can connect may read and sync.
    package init(
        descriptor: CInt, service: any ControlService, plugins: any PluginService = NoPlugins(),
        hooks: any HookService = NoHooks(), catalogs: any CatalogService = NoCatalogs(),
        artwork: any ArtworkService = NoArtwork(), web: any WebService = NoWeb(),
        people: any PeopleService = NoPeople(), allowedUIDs: Set<UInt32>,
        logger: Logger
    ) {
        self.descriptor = descriptor
        self.logger = logger
        let responder = ControlRouter(
            service: service, plugins: plugins, hooks: hooks, catalogs: catalogs, artwork: artwork, web: web,
            people: people, allowedUIDs: allowedUIDs, logger: logger
        ).responder()
        http = HTTP1Channel(
            responder: { request, writer, channel in
                let context = ControlContext(source: .init(channel: channel, logger: logger))
                let response = try await responder.respond(to: request, context: context)
                try await writer.write(response: response.head, body: response.body)
            },
            // Ends connections that ask for nothing, and requests that never end; open answers are left alone.
            configuration: .init(idleTimeout: .minutes(5))
        )
    }

    /// Serves until the daemon stops or the task is cancelled; may be called once.
    package func run() async throws {
        logger.info("The control socket is served", metadata: ["event": "control.serving"])
        try await AcceptLoop(
            descriptor: descriptor, http: http, noDelay: false, unread: .unreadable, logger: logger
        ).run()
        logger.info("The control socket is closed", metadata: ["event": "control.closed"])
    }
}
