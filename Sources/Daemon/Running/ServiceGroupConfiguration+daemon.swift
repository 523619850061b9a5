internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

extension ServiceGroupConfiguration {
    /// Services that run until SIGTERM or SIGINT, and then have 10 seconds to end.
    ///
    /// They are stopped in the reverse order.
    static func daemon(_ services: [any Service], logger: Logger) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }
}
