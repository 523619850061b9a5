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
    /// The values under these keys are now what this process wrote there, which need not be read: ``changed(_:)`` of each
    /// would say the same. All are writes in the keyspace that is listened to. The time is the server's own of the write,
    /// milliseconds since 1970.
    case echoed([BatchElement], serverTime: UInt64)
    /// All below a key that entries stand under is replaced, by the entries under these keys: whatever else stood there is
    /// gone. What they hold is told as ``changed(_:)``, in the order that suits the remote.
    case replaced(below: String, by: [String])
    /// Something below a key changed: the whole value is not known.
    case touched(key: String)
}

extension RemoteEvent {
    /// Of how many entries it tells; 1 where it tells of none.
    package var count: Int { if case .echoed(let elements, _) = self { elements.count } else { 1 } }
}

extension [RemoteEvent] {
    package var entryCount: Int { reduce(0) { $0 + $1.count } }
}
