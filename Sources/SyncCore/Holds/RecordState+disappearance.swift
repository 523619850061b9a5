package import SyncModel

extension RecordState {
    /// Whether a tombstone above the base explains why the record is gone from the remote.
    private var deletionIsStamped: Bool {
        guard let stamp = tombstone?.stamp else { return false }
        return (remote?.stamp ?? remote?.lastStamp).map { stamp > $0 } ?? true
    }

    /// Whether the record's disappearance from the remote would delete it here, and no tombstone explains it: what
    /// the limit of deletes counts. An edit newer than the base survives.
    package var wouldBeDeletedWithoutTombstone: Bool {
        guard let remote, let local, !local.deleted, !deletionIsStamped else { return false }
        guard !provisional, let deletion = remote.deletionStamp else { return true }
        return deletion > local.stamp
    }
}
