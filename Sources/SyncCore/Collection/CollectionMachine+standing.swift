internal import SyncModel

/// What stands in the remote under what is written: its rules may compare that with what a write names (`_b`), whatever
/// `writeGuard` is.
extension CollectionMachine {
    /// Rules that compare stamps are written for records under UUIDs, with tombstones beside them.
    private var namesReplaced: Bool {
        settings.writeGuard == .rules || (settings.keepsTombstones && !rules.key.isKeyed)
    }

    /// The remote's rules compare what a write replaces with the stamp that stands there.
    mutating func noteStanding(_ reading: Reading, _ state: RecordState) {
        guard namesReplaced else { return }
        standing[state.key.id] = state.remote.flatMap { $0.stamp == nil ? .some(reading.stamp) : nil }
    }

    /// The next step of pushing a record, with what the remote's rules may ask for beside the ETag.
    func nextStep(_ state: RecordState, _ context: PushContext) -> PushStep {
        if isStandingUnknown(state) { return .read }
        let next = state.step(context)
        guard case .remove = next, renewals[state.key.id] == .due else { return next }
        return state.tombstone?.etag.map { .writeTombstone(.matches(etag: $0)) } ?? .readTombstone
    }

    /// Whether it must be read first what stands there: an app's write may have kept the stamp that it had read.
    private func isStandingUnknown(_ state: RecordState) -> Bool {
        guard namesReplaced, let remote = state.remote, remote.stamp == nil else { return false }
        return remote.lastStamp != nil && standing[state.key.id] == nil
    }

    /// The stamp of what a write replaces, for the remote's rules.
    func replaced(_ state: RecordState) -> Stamp? {
        guard namesReplaced else { return nil }
        return state.remote?.stamp ?? standing[state.key.id] ?? nil
    }

    /// Whether an app's change of a record is not read yet that the remote's rules do not see, as the stamp may stay.
    func isChangedUnseen(_ id: RecordID) -> Bool {
        namesReplaced && streams[.records(rules.id)]?.foreignChanges.contains(id) == true
    }

    /// The remote's rules do not let a record be removed: perhaps another version stands there than its tombstone names,
    /// which is written again then, once. False where that is not so.
    mutating func renewsTombstone(_ id: RecordID) -> Bool {
        guard namesReplaced, settings.keepsTombstones, renewals[id] == nil else { return false }
        renewals[id] = .due
        return true
    }
}

/// How far a tombstone is that is written a second time for one delete.
enum TombstoneRenewal: Sendable {
    case due
    case done
}
