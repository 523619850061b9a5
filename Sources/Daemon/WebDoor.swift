internal import ControlAPI
internal import Logging
internal import OperatingSystem
internal import ServiceLifecycle
internal import Synchronization
internal import WebFace

/// The web page where the configuration wants it; else from when somebody asks for it until the daemon ends.
final class WebDoor: Service, WebService {
    private enum State {
        case closed
        case open(WebFace)
        /// Why the page of the configuration can't be served.
        case failed(String)
    }

    private let state: Mutex<State>
    private let make: @Sendable ([TCPListener]) throws -> WebFace
    private let logger: Logger
    private let pages: AsyncStream<WebFace>
    private let opened: AsyncStream<WebFace>.Continuation

    /// Listens at once where it is told where: at sockets that the service manager has handed over, else at an address.
    /// A page that can't be served is a line in the log: the sync goes on without it.
    init(
        _ listen: ListenAddress?, inherited: [Int32], logger: Logger,
        _ make: @escaping @Sendable ([TCPListener]) throws -> WebFace
    ) {
        self.make = make
        self.logger = logger
        (pages, opened) = AsyncStream.makeStream()
        state = Mutex(.closed)
        if !inherited.isEmpty {
            state.withLock { open(&$0) { try inherited.map(TCPListener.init(inherited:)) } }
        } else if let listen {
            state.withLock { open(&$0, at: listen) }
        }
    }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await page in pages.cancelOnGracefulShutdown() { group.addTask { try await page.run() } }
        }
    }

    func link(opening: Bool) throws(ControlError) -> WebLinkReply {
        let page = state.withLock { state in
            // Somewhere on this machine, for whoever is at it.
            if opening, case .closed = state { open(&state, at: ListenAddress(host: "127.0.0.1", port: 0)) }
            return state
        }
        switch page {
        case .open(let page): return page.link()
        case .failed(let reason): throw ControlError(409, "webOff", "the web page can't be served: \(reason)")
        case .closed: throw .webOff
        }
    }

    private func open(_ state: inout State, at listen: ListenAddress) {
        open(&state) { [try TCPListener.bind(host: listen.host, port: listen.port)] }
    }

    private func open(_ state: inout State, _ listen: () throws -> [TCPListener]) {
        do {
            let page = try make(try listen())
            opened.yield(page)
            state = .open(page)
        } catch {
            let reason = CommandFailure(error).message
            logger.error("The web page can't be served", metadata: ["event": "web.off", "error": "\(reason)"])
            state = .failed(reason)
        }
    }
}
