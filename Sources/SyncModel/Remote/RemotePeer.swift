/// What a node has written of itself for all others (`docs/protocol.md` section 11).
public struct RemotePeer: Hashable, Sendable {
    /// The node's id, as it stands in the remote.
    public var node: String
    /// What people call it: the name of its machine.
    public var name: String
    /// The version of the product that it runs.
    public var version: String
    /// The server's time of its last entry, milliseconds since 1970; nil before one was read.
    public var seenAt: UInt64?
    /// For each collection that it syncs: the server's time up to which every tombstone is applied there. A collection that
    /// is missing is none of its own, or has another base there.
    public var applied: [CollectionID: UInt64]
    /// For each of these that is declared in a file there: what stands for the declaration.
    public var declared: [CollectionID: String] = [:]
    /// For each of these: how often the node has told of it; a remote that says less than the node knows is in an older state
    /// than it was.
    public var told: [CollectionID: UInt64] = [:]

    public init(
        node: String, name: String, version: String, seenAt: UInt64? = nil, applied: [CollectionID: UInt64] = [:]
    ) {
        self.node = node
        self.name = name
        self.version = version
        self.seenAt = seenAt
        self.applied = applied
    }
}
