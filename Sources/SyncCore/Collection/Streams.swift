internal import SyncModel

/// The streams of a collection: that of its records, and that of its tombstones where it keeps them.
struct Streams: Sendable {
    private var records: StreamState?
    private var tombstones: StreamState?

    subscript(keyspace: Keyspace) -> StreamState? {
        _read {
            switch keyspace {
            case .records: yield records
            case .tombstones: yield tombstones
            }
        }
        _modify {
            switch keyspace {
            case .records: yield &records
            case .tombstones: yield &tombstones
            }
        }
    }

    /// When the next ones are opened, or those end that show nothing, on the monotonic clock.
    var moments: [UInt64] {
        [records?.retryAt, tombstones?.retryAt, records?.showsUntil, tombstones?.showsUntil].compactMap(\.self)
    }
}
