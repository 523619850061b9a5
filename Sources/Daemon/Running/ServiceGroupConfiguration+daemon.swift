internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

extension ServiceGroupConfiguration {
    /// Services that run until SIGTERM or SIGINT, and then have 10 seconds to end.
    ///
    /// They are stopped in the reverse order.
    ///
    /// - Parameter stopsAtHangup: whether SIGHUP ends it, too.
    static func daemon(
        _ services: [any Service], stopsAtHangup: Bool = false, logger: Logger
    ) -> ServiceGroupConfiguration {
        // What it says of each step has no word for it; what goes wrong is thrown as well.
        var logger = logger
        logger.logLevel = .error
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: stopsAtHangup ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint], logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }
}
