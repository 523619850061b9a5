internal import ServiceLifecycle

/// What runs for a remote, as a service of the daemon.
struct RemoteService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
