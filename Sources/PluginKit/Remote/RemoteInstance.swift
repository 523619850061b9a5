/// A remote, and what has to run for it.
public struct RemoteInstance: Sendable {
    public let remote: any Remote
    /// Runs beside the engine, begun before it and ended after it, until graceful shutdown or cancellation.
    public let service: (@Sendable () async throws -> Void)?
    /// Makes another remote, of settings that have changed while ``service`` goes on; nil where the plugin is asked anew.
    public let another: (@Sendable (RemoteContext) async throws -> any Remote)?

    public init(
        _ remote: any Remote, service: (@Sendable () async throws -> Void)? = nil,
        another: (@Sendable (RemoteContext) async throws -> any Remote)? = nil
    ) {
        self.remote = remote
        self.service = service
        self.another = another
    }
}
