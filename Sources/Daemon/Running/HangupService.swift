internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Says on SIGHUP that a hub reads nothing anew. Who meant the daemon would otherwise end its hub, and nobody starts that
/// again.
struct HangupService: Service {
    private let hangups: UnixSignalsSequence
    private let logger: Logger

    /// From here on SIGHUP no longer ends the process.
    init(logger: Logger) async {
        self.logger = logger
        hangups = await UnixSignalsSequence(trapping: .sighup)
    }

    func run() async throws {
        for await _ in hangups.cancelOnGracefulShutdown() {
            logger.notice(
                "A hub reads its files at its start only: restart it", metadata: ["event": "server.reload.ignored"])
        }
    }
}
