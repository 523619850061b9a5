public import PluginKit
public import SyncModel

/// Holds any remote to the promises of ``Remote``.
///
/// ## Writing a remote
/// A new remote's test is one function; each promise gets an empty remote of its own:
///
/// ```swift
/// @Test(.timeLimit(.minutes(1)), arguments: RemoteConformance.promises)
/// func `keeps the promises of a remote`(_ promise: RemotePromise) async {
///     #expect(await promise.broken(by: RemoteSample(MyRemote())) == [])
/// }
/// ```
///
/// Knows no test framework, so that a plugin outside this package can use any.
public enum RemoteConformance {
    public static let promises = reading + writing + batches + pages + listening + endings
}

/// An empty remote to be tested.
public struct RemoteSample: Sendable {
    /// Puts a value at a path below a keyspace, beside the remote: as an app that knows no stamps would.
    public typealias Plant = @Sendable (JSONValue, [String], Keyspace) async throws -> Void

    public let remote: any Remote
    /// A collection that it keeps.
    public let collection: CollectionID
    public let plant: Plant?

    /// - Parameter plant: without it, the promises about what others wrote are not tested.
    public init(_ remote: any Remote, collection: CollectionID = "movies", plant: Plant? = nil) {
        self.remote = remote
        self.collection = collection
        self.plant = plant
    }
}

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
