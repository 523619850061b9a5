/// A key of a keyspace with what it holds, as an event or a read showed it.
public struct RemoteEntry: Hashable, Sendable {
    /// The key as it stands in the remote; usually, but not always, an upper-case UUID.
    public var key: String
    public var value: RemoteValue
    /// The server's own time of the write (`_t`), milliseconds since 1970.
    public var serverTime: UInt64?
    /// For conditional writes; only a read or a write of the single key shows it.
    public var etag: String?

    public init(key: String, value: RemoteValue, serverTime: UInt64? = nil, etag: String? = nil) {
        self.key = key
        self.value = value
        self.serverTime = serverTime
        self.etag = etag
    }
}
