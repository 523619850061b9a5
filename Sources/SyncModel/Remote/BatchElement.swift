/// One element of a guarded or first-attempt batch: a write, or (with nil) the removal of what stands there.
public struct BatchElement: Hashable, Sendable {
    public var keyspace: Keyspace
    public var key: String
    public var write: RemoteWrite?

    public init(keyspace: Keyspace, key: String, write: RemoteWrite?) {
        self.keyspace = keyspace
        self.key = key
        self.write = write
    }
}
