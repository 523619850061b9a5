/// A record's state as the store holds it.
package struct StoredRecord: Hashable, Sendable {
    package var state: RecordState
    /// Its row; nil where the store has none yet.
    package let row: Int64?
    /// What was counted of it when it was read.
    package let standing: Standing
    /// Since when the record is pending, in milliseconds since 1970.
    package let pendingSince: Int64?
    /// The number of its last entry in the change feed; nil where it has none.
    package var lastChange: Int64?

    /// What counts: whether it is live, a tombstone, pending.
    package struct Standing: Hashable, Sendable {
        package var live: Bool
        package var tombstone: Bool
        package var pending: Pending

        package init(live: Bool = false, tombstone: Bool = false, pending: Pending = .no) {
            self.live = live
            self.tombstone = tombstone
            self.pending = pending
        }
    }

    package init(state: RecordState, row: Int64?, standing: Standing, pendingSince: Int64?, lastChange: Int64? = nil) {
        self.state = state
        self.row = row
        self.standing = standing
        self.pendingSince = pendingSince
        self.lastChange = lastChange
    }

    package var pending: Pending { standing.pending }
}
