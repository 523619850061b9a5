package import SyncModel

/// A record's state as the store holds it.
package struct StoredRecord: Hashable, Sendable {
    package var state: RecordState
    let row: Int64?
    let before: Standing
    /// Since when the record is pending, in milliseconds since 1970.
    package let pendingSince: Int64?

    /// What counts: whether it is live, a tombstone, pending.
    struct Standing: Hashable, Sendable {
        var live = false
        var tombstone = false
        var pending = Pending.no
    }

    package var pending: Pending { before.pending }
}
