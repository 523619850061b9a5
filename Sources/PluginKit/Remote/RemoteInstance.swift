/// A remote, and what has to run for it.
public struct RemoteInstance: Sendable {
    public let remote: any Remote
    /// Runs beside the engine, begun before it and ended after it, until graceful shutdown or cancellation.
    public let service: (@Sendable () async throws -> Void)?

    public init(_ remote: any Remote, service: (@Sendable () async throws -> Void)? = nil) {
        self.remote = remote
        self.service = service
    }
}
