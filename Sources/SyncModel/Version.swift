/// One state of a record and the stamp of the edit that made it. Without content it is a delete: a tombstone.
public struct Version: Hashable, Sendable {
    public var content: Content?
    public var stamp: Stamp

    public init(_ content: Content?, _ stamp: Stamp) {
        self.content = content
        self.stamp = stamp
    }

    public var deleted: Bool { content == nil }

    /// The content's hash; ``ContentHash/deleted`` for a delete.
    public var hash: ContentHash { content?.hash ?? .deleted }
}
