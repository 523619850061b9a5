internal import ServiceLifecycle
internal import UnixSignals

/// Reloads the configuration on SIGHUP.
package struct ReloadSignalService: Service {
    private let hangups: UnixSignalsSequence
    private let reload: Reload

    /// From here on SIGHUP no longer ends the process.
    package init(reload: Reload) async {
        self.reload = reload
        hangups = await UnixSignalsSequence(trapping: .sighup)
    }

    package func run() async throws {
        for await _ in hangups.cancelOnGracefulShutdown() {
            // What was wrong is in the log and in the manager's status line already.
            _ = try? await reload.reload()
        }
    }
}
