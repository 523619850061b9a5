internal import LocalFirebase
internal import Logging
internal import ServiceLifecycle
internal import Systemd

extension DaemonParts {
    /// The services of the daemon, in the order they start; they stop in the reverse order.
    func build(_ socket: ControlSocket) async throws -> [any Service] {
        let database = try localDatabase()
        let reload = Reload(
            source: source, running: settings, threshold: threshold, notifier: notifier, logger: logger, apply: { _ in }
        )
        let hangups = await HangupService(reload: reload)
        let notices = ManagerNotices(notifier: notifier, logger: logger, isReady: {}, isAlive: {})
        let services: [(any Service)?] = [database, hangups, notices]
        return services.compactMap(\.self)
    }

    /// The embedded server, where it is the remote.
    private func localDatabase() throws -> LocalFirebaseServer? {
        guard settings.remote.plugin == .local else { return nil }
        return try LocalServer.make(listen: settings.local.listen, data: settings.local.data, logger: logger)
    }
}
