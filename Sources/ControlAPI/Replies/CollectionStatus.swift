/// The counters of one collection; each equals a recount of the state.
package struct CollectionStatus: Codable, Hashable, Sendable {
    package var records: Int
    package var tombstones: Int
    /// Records, deleted ones included, that the remote does not have yet.
    package var pending: Int
    /// The age of the oldest of these.
    @Nullable package var oldestPendingSeconds: Double?
    package var quarantined: Int
    package var conflicts: Int
    /// The last comparison with the remote; null before the first one.
    @Nullable package var lastVerify: LastVerify?

    /// When this run of the daemon found that the node had been away for longer than tombstones are kept, and compared
    /// everything; left out where it was not.
    package var fencedAt: Moment?
    /// The other nodes that declare the collection otherwise; left out where there are none.
    package var declaredOtherwise: [String]?

    package struct LastVerify: Codable, Hashable, Sendable {
        package var at: Moment
        package var differences: Int
        /// How many of each kind.
        package var found: [String: Int]
        /// Whether the differing records were read again.
        package var repaired: Bool

        package init(at: Moment, differences: Int, found: [String: Int], repaired: Bool) {
            self.at = at
            self.differences = differences
            self.found = found
            self.repaired = repaired
        }
    }

    package init(
        records: Int = 0, tombstones: Int = 0, pending: Int = 0, oldestPendingSeconds: Double? = nil,
        quarantined: Int = 0, conflicts: Int = 0
    ) {
        self.records = records
        self.tombstones = tombstones
        self.pending = pending
        self.oldestPendingSeconds = oldestPendingSeconds
        self.quarantined = quarantined
        self.conflicts = conflicts
    }
}
