internal import PluginKit

/// One thing that every remote does.
public struct RemotePromise: Sendable, CustomStringConvertible {
    /// A sentence.
    public let description: String
    private let check: @Sendable (inout RemoteCheck) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (inout RemoteCheck) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// What of it the remote does not keep, a sentence each. The remote must be empty, and is used up.
    public func broken(by sample: RemoteSample) async -> [String] {
        var check = RemoteCheck(sample)
        do {
            try await self.check(&check)
        } catch {
            check.expect(false, "nothing is thrown, but: \(error)")
        }
        await sample.remote.shutdown()
        return check.broken
    }
}
