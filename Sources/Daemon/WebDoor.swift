internal import ControlAPI
internal import Logging
internal import OperatingSystem
internal import ServiceLifecycle
internal import Synchronization
internal import WebFace

/// The web page where the configuration wants it; else from when somebody asks for it until the daemon ends.
final class WebDoor: Service, WebService {
    /// What the configuration says of the page.
    struct Wish: Equatable, Sendable {
        /// Where it is served for good; nil for nowhere.
        var listen: ListenAddress?
        var settings: WebSettings
    }

    private struct State {
        var wish: Wish
        var page: WebFace?
        /// Why the page of the configuration can't be served.
        var failure: String?
    }

    private let state: Mutex<State>
    private let make: @Sendable ([TCPListener], WebSettings) throws -> WebFace
    private let isInherited: Bool
    private let logger: Logger
    private let pages: AsyncStream<WebFace>
    private let opened: AsyncStream<WebFace>.Continuation

    /// Listens at once where it is told where: at sockets that the service manager has handed over, else at an address.
    /// A page that can't be served is a line in the log: the sync goes on without it.
    init(
        _ wish: Wish, inherited: [Int32], logger: Logger,
        _ make: @escaping @Sendable ([TCPListener], WebSettings) throws -> WebFace
    ) {
        self.make = make
        self.logger = logger
        isInherited = !inherited.isEmpty
        (pages, opened) = AsyncStream.makeStream()
        state = Mutex(State(wish: wish))
        if isInherited {
            state.withLock { open(&$0) { try inherited.map(TCPListener.init(inherited:)) } }
        } else if let listen = wish.listen {
            state.withLock { open(&$0, at: listen) }
        }
    }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await page in pages.cancelOnGracefulShutdown() { group.addTask { try await page.run() } }
        }
    }

    /// Puts in force what the configuration says now. A page that moves ends at the old place first, for the new one may
    /// need its port, and then fails as at the start; browsers stay signed in.
    func configure(_ wish: Wish) async {
        let (page, moves) = state.withLock { state in
            let moves = !isInherited && state.wish.listen != wish.listen
            state.wish = wish
            defer {
                if moves { (state.page, state.failure) = (nil, "it is about to move; ask again") }
            }
            return (state.page, moves)
        }
        page?.configure(wish.settings)
        guard moves else { return }
        await page?.stop()
        state.withLock { state in
            state.failure = nil
            if let listen = wish.listen { open(&state, at: listen) }
        }
    }

    /// Tries once more to serve the page of the configuration where that has failed: its place may be free by now.
    func retry() {
        state.withLock { state in
            guard state.failure != nil, !isInherited, let listen = state.wish.listen else { return }
            open(&state, at: listen)
        }
    }

    var trouble: String? { state.withLock { $0.failure } }

    func link(opening: Bool) throws(ControlError) -> WebLinkReply {
        let (page, failure) = state.withLock { state in
            // Somewhere on this machine, for whoever is at it.
            if opening, state.page == nil, state.failure == nil {
                open(&state, at: ListenAddress(host: "127.0.0.1", port: 0))
            }
            return (state.page, state.failure)
        }
        if let failure { throw ControlError(409, "webOff", "the web page can't be served: \(failure)") }
        guard let page else { throw .webOff }
        return page.link()
    }

    private func open(_ state: inout State, at listen: ListenAddress) {
        open(&state) { [try TCPListener.bind(host: listen.host, port: listen.port)] }
    }

    private func open(_ state: inout State, _ listen: () throws -> [TCPListener]) {
        do {
            let page = try make(try listen(), state.wish.settings)
            opened.yield(page)
            (state.page, state.failure) = (page, nil)
        } catch {
            let reason = CommandFailure(error).message
            guard reason != state.failure else { return }
            logger.error("The web page can't be served", metadata: ["event": "web.off", "error": "\(reason)"])
            state.failure = reason
        }
    }
}
