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
        guard remote != nil, let local, !local.deleted, !deletionIsStamped else { return false }
        return !isEditedSinceSeen
    }

    /// Whether this node's version is an edit above what the record's disappearance from the remote would end.
    private var isEditedSinceSeen: Bool {
        guard let local, !local.deleted else { return false }
        guard let remote else { return true }
        guard !provisional, let deletion = remote.deletionStamp else { return false }
        return local.stamp >= deletion
    }

    /// A person has approved that the record is gone from the remote: it is deleted here too, except where it was edited
    /// since the remote last held it. Such an edit survives, and is written to the remote anew.
    ///
    /// - Parameter now: stamps the delete.
    package mutating func disappearanceApproved(now: Stamp) -> Outcome {
        guard isEditedSinceSeen else { return edited(Version(nil, now)) }
        removed()
        return Outcome()
    }
}
