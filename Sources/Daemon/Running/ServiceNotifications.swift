package import Logging
internal import ServiceLifecycle
internal import Synchronization
package import Systemd

/// Tells the service manager when the daemon is ready, that it is alive, and when it stops.
package struct ServiceNotifications: Service {
    /// A part of the daemon, and what returns as soon as it has shown that it lives.
    package typealias LifeSign = (part: String, isAlive: @Sendable () async -> Void)

    private let board: StatusBoard
    private let logger: Logger
    private let statusChanges: @Sendable () -> AsyncStream<Void>
    private let isReady: @Sendable () async throws -> Void
    private let lifeSigns: @Sendable () -> [LifeSign]

    /// - Parameters:
    ///   - board: shows what the daemon does.
    ///   - statusChanges: that it may do something else now.
    ///   - isReady: returns when the start is finished; being connected to the remote is no part of it.
    ///   - lifeSigns: what has to live; while one part does not show that it does, the watchdog is not fed.
    package init(
        board: StatusBoard, logger: Logger,
        statusChanges: @escaping @Sendable () -> AsyncStream<Void> = { AsyncStream<Void> { $0.finish() } },
        isReady: @escaping @Sendable () async throws -> Void,
        lifeSigns: @escaping @Sendable () -> [LifeSign] = { [] }
    ) {
        self.board = board
        self.logger = logger
        self.statusChanges = statusChanges
        self.isReady = isReady
        self.lifeSigns = lifeSigns
    }

    package func run() async throws {
        try await withGracefulShutdownHandler {
            do {
                try await cancelWhenGracefulShutdown {
                    try await isReady()
                    board.ready()
                    logger.notice("The daemon is ready", metadata: ["event": "daemon.started"])
                    try await withThrowingDiscardingTaskGroup { group in
                        group.addTask { for await _ in statusChanges() { board.refresh() } }
                        try await feedWatchdog()
                        group.cancelAll()
                    }
                }
            } catch is CancellationError {
                // The daemon stops: this is how waiting ends.
            }
        } onGracefulShutdown: {
            board.notifier.stopping(within: .seconds(20))
            logger.notice("The daemon stops", metadata: ["event": "daemon.stopping"])
        }
    }

    /// Goes on until the daemon stops, also where nobody watches.
    private func feedWatchdog() async throws {
        guard let interval = board.notifier.watchdogInterval else { return try await gracefulShutdown() }
        while !Task.isCancelled {
            // Half of it is left for saying what hangs, before the manager ends it.
            await allShowLife(within: interval / 2)
            guard !Task.isCancelled else { return }
            board.notifier.watchdog()
            // What hung for a while is over.
            board.warn(nil)
            try await Task.sleep(for: interval)
        }
    }

    /// Returns when every part has shown that it lives; says which ones have not after `limit`.
    private func allShowLife(within limit: Duration) async {
        let lifeSigns = lifeSigns()
        let silent = Silent(parts: Set(lifeSigns.map(\.part)))
        await withDiscardingTaskGroup { group in
            group.addTask {
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                complain(of: silent.names)
            }
            await withDiscardingTaskGroup { parts in
                for sign in lifeSigns {
                    parts.addTask {
                        await sign.isAlive()
                        silent.remove(sign.part)
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func complain(of parts: [String]) {
        let names = parts.joined(separator: ", ")
        board.warn("hangs: \(names); the watchdog restarts the daemon")
        logger.critical(
            "A part of the daemon hangs, and the watchdog is not fed",
            metadata: ["event": "watchdog.withheld", "parts": "\(names)"])
    }
}

/// The parts that have not shown yet that they live.
private final class Silent: Sendable {
    private let parts: Mutex<Set<String>>

    init(parts: Set<String>) { self.parts = Mutex(parts) }

    var names: [String] { parts.withLock { $0.sorted() } }

    func remove(_ part: String) { parts.withLock { _ = $0.remove(part) } }
}
