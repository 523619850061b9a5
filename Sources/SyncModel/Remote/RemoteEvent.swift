/// What a listener is told, in the order of the remote's commits.
public enum RemoteEvent: Hashable, Sendable {
    /// A snapshot begins: of the whole keyspace, or only of what changed since the cursor.
    case snapshotBegan
    /// One entry of the snapshot.
    case snapshotEntry(RemoteEntry)
    /// The snapshot is over; it had this many entries.
    case snapshotEnded(entries: Int)
    /// The value under a key is now this. `absent` on a listener with a cursor may mean "left the window".
    case changed(RemoteEntry)
    /// The value under a key is now what this process wrote there, which need not be read: ``changed(_:)`` would say the
    /// same. The time is the server's own of the write, milliseconds since 1970.
    case echoed(RemoteWrite, serverTime: UInt64)
    /// All below a key that entries stand under is replaced, by the entries under these keys: whatever else stood there is
    /// gone. What they hold is told as ``changed(_:)``, in the order that suits the remote.
    case replaced(below: String, by: [String])
    /// Something below a key changed: the whole value is not known.
    case touched(key: String)
}
