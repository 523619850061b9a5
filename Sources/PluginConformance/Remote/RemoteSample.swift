public import PluginKit
public import SyncModel

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
