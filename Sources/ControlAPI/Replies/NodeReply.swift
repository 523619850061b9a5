/// One of the nodes that share the remote, as it has written of itself.
package struct NodeReply: Codable, Hashable, Sendable {
    /// How far a node has applied what others deleted.
    package struct Progress: Codable, Hashable, Sendable {
        /// The server's time up to which every tombstone is applied there; null before the first.
        @Nullable package var appliedAt: Moment?
        /// How long before the newest that any node has applied that is; null where that can't be told.
        @Nullable package var behindSeconds: Double?

        /// What stands for the node's declaration of the collection; left out where it is none of a file, or not known.
        package var declaration: String?
        /// Whether that is another one than this node's; left out where it is not.
        package var isDeclaredOtherwise: Bool?

        package init(appliedAt: Moment? = nil, behindSeconds: Double? = nil) {
            self.appliedAt = appliedAt
            self.behindSeconds = behindSeconds
        }
    }

    /// The node's id, as in its stamps.
    package var id: String
    /// The name of its machine.
    package var name: String
    package var version: String
    /// When it wrote its entry last, by the server's clock; null where it has written none yet.
    @Nullable package var lastSeenAt: Moment?
    /// Whether it is the node that answers.
    package var isThis: Bool
    /// By the names that this node's collections have; one whose base the other node does not sync is missing.
    package var collections: [String: Progress]

    package init(
        id: String, name: String, version: String, lastSeenAt: Moment? = nil, isThis: Bool = false,
        collections: [String: Progress] = [:]
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.lastSeenAt = lastSeenAt
        self.isThis = isThis
        self.collections = collections
    }
}
