package import ControlAPI
internal import HTTPListening
internal import HummingbirdCore
package import Logging
internal import NIOCore
package import OperatingSystem
internal import ServiceLifecycle
internal import SyncModel
internal import Synchronization

/// The web page of the daemon: shows and edits the library in a browser, and follows what changes.
///
/// It holds no rule of syncing: what it shows are the replies of the control socket, and what it changes are lines of the
/// journal.
package final class WebFace: Service {
    /// What the page needs of the world.
    package struct Surroundings: Sendable {
        /// Milliseconds since 1970.
        let wall: @Sendable () -> UInt64
        let sleep: @Sendable (Duration) async throws -> Void

        package init(
            wall: @escaping @Sendable () -> UInt64, sleep: @escaping @Sendable (Duration) async throws -> Void
        ) {
            self.wall = wall
            self.sleep = sleep
        }
    }

    /// Where it listens, as `127.0.0.1:41234`.
    package let address: String

    private let settings: LiveSettings
    /// Until ``run()`` takes them over.
    private let listeners: Mutex<[TCPListener]>
    private let port: Int
    private let doorkeeper: Doorkeeper
    private let http: HTTP1Channel
    private let feed: LiveFeed
    private let shelf: Shelf
    private let surroundings: Surroundings
    private let logger: Logger
    private let (closing, close): (AsyncStream<Never>, AsyncStream<Never>.Continuation)
    private let (ended, end): (AsyncStream<Never>, AsyncStream<Never>.Continuation)

    /// How long the order of films is kept for nobody, and how long a reader of changes rests between two of them.
    private static let (rest, pace) = (Duration.seconds(600), Duration.milliseconds(100))

    /// Answers as soon as ``run()`` runs.
    ///
    /// - Parameters:
    ///   - listeners: where browsers reach it, one at least; links name the first.
    ///   - sessions: the file in which the browsers that are signed in are kept.
    package init(
        _ listeners: [TCPListener], _ settings: WebSettings, sessions: String, _ daemon: DaemonServices,
        _ surroundings: Surroundings, logger: Logger
    ) throws {
        let settings = LiveSettings(settings)
        self.settings = settings
        (closing, close) = AsyncStream.makeStream()
        (ended, end) = AsyncStream.makeStream()
        self.surroundings = surroundings
        self.logger = logger
        self.listeners = Mutex(listeners)
        port = listeners.first?.port ?? 0
        address = listeners.first.map { WebFace.place($0.host, $0.port) } ?? ""
        doorkeeper = Doorkeeper(path: sessions, wall: surroundings.wall, logger: logger)
        let schema = daemon.service.schemas().first { $0.name == Responder.movies }
        shelf = Shelf(
            daemon.service, schema ?? CollectionSchema(name: Responder.movies, titleField: "title", columns: []))
        let room = LiveRoom()
        feed = LiveFeed(
            room: room, service: daemon.service, status: daemon.status, wall: surroundings.wall,
            sleep: surroundings.sleep)
        let responder = Responder(
            settings: settings, daemon: daemon, doorkeeper: doorkeeper,
            frame: Frame(templates: try Templates(), status: daemon.status, wall: surroundings.wall),
            desk: Desk(daemon: daemon, shelf: shelf),
            changes: Changes(daemon: daemon, editor: Editor(service: daemon.service, wall: surroundings.wall)),
            room: room, pace: { try await surroundings.sleep(WebFace.pace) }, logger: logger)
        http = HTTP1Channel(
            responder: { request, writer, _ in try await responder.respond(request, writer) },
            configuration: .init(idleTimeout: .minutes(2)))
    }

    /// Makes a link that signs one browser in: once, and soon.
    package func link() -> WebLinkReply {
        let link = doorkeeper.makeLink()
        // Where it listens everywhere, people reach it by a name.
        let isLoopback = HostList([]).contains(address)
        let place = isLoopback ? nil : settings.current.hosts.first.map { WebFace.place($0, port) }
        return WebLinkReply(
            url: "http://\(place ?? address)/login?token=\(link.secret)",
            expiresAt: Moment(milliseconds: link.expires))
    }

    /// Puts other settings in force, for every request from now on.
    package func configure(_ settings: WebSettings) { self.settings.current = settings }

    /// Ends ``run()``, and returns when nobody listens any more; a second call does the same.
    package func stop() async {
        close.finish()
        for await _ in ended {}
    }

    /// Serves until the daemon stops, ``stop()`` is called or the task is cancelled; may be called once.
    package func run() async throws {
        defer { end.finish() }
        logger.notice("The web page is served", metadata: ["event": "web.serving", "address": "\(address)"])
        if !HostList([]).contains(address) {
            logger.warning(
                "The web page is served beyond this machine, without TLS: that belongs to a proxy before it",
                metadata: ["event": "web.exposed", "address": "\(address)"])
        }
        let listeners = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        defer { for listener in listeners { listener.stop() } }
        let loops = try listeners.map { listener in
            AcceptLoop(
                descriptor: try listener.descriptor.duplicate(), http: http, noDelay: true, compresses: true,
                logger: logger)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [feed] in await feed.run() }
            group.addTask { [shelf, surroundings] in
                while !Task.isCancelled {
                    try? await surroundings.sleep(WebFace.rest)
                    await shelf.rest()
                }
            }
            group.addTask { [closing] in for await _ in closing {} }
            for loop in loops { group.addTask { try await loop.run() } }
            // The first that ends, ends all.
            try await group.next()
            group.cancelAll()
        }
        doorkeeper.keep()
        logger.info("The web page is closed", metadata: ["event": "web.closed"])
    }

    private static func place(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
