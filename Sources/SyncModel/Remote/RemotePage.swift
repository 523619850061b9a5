/// Some entries of a keyspace, in the remote's order of keys.
public struct RemotePage: Hashable, Sendable {
    public var entries: [RemoteEntry]
    /// The key that the next page starts from, which is not in this one; nil where the range ends here.
    public var next: String?

    public init(entries: [RemoteEntry], next: String? = nil) {
        self.entries = entries
        self.next = next
    }
}
