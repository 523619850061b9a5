package import Logging
internal import ServiceLifecycle
package import Systemd

/// Tells the service manager when the daemon is ready, that it is alive, and when it stops.
package struct ServiceNotifications: Service {
    private let notifier: SystemNotifier
    private let logger: Logger
    private let lag: @Sendable () -> AsyncStream<String>
    private let isReady: @Sendable () async throws -> Void
    private let isAlive: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - lag: lines for people that say how far the two sides are apart, each time that has changed.
    ///   - isReady: returns when the start is finished; being connected to the remote is no part of it.
    ///   - isAlive: a round trip through what does the work; while it does not return, the watchdog is not fed.
    package init(
        notifier: SystemNotifier, logger: Logger,
        lag: @escaping @Sendable () -> AsyncStream<String> = { AsyncStream { nil } },
        isReady: @escaping @Sendable () async throws -> Void,
        isAlive: @escaping @Sendable () async throws -> Void
    ) {
        self.notifier = notifier
        self.logger = logger
        self.lag = lag
        self.isReady = isReady
        self.isAlive = isAlive
    }

    package func run() async throws {
        try await withGracefulShutdownHandler {
            do {
                try await cancelWhenGracefulShutdown {
                    try await isReady()
                    notifier.ready(status: "running")
                    logger.notice("The daemon is ready", metadata: ["event": "daemon.started"])
                    try await withThrowingDiscardingTaskGroup { group in
                        group.addTask { for await line in lag() { notifier.status(line) } }
                        try await feedWatchdog()
                        group.cancelAll()
                    }
                }
            } catch is CancellationError {
                // The daemon stops: this is how waiting ends.
            }
        } onGracefulShutdown: {
            notifier.stopping()
            logger.notice("The daemon stops", metadata: ["event": "daemon.stopping"])
        }
    }

    /// Goes on until the daemon stops, also where nobody watches.
    private func feedWatchdog() async throws {
        guard let interval = notifier.watchdogInterval else { return try await gracefulShutdown() }
        while !Task.isCancelled {
            try await isAlive()
            notifier.watchdog()
            try await Task.sleep(for: interval)
        }
    }
}
