internal import SyncModel

/// With `writeGuard: rules`: what stands in the remote under an app's write, whose stamp a write over it has to name.
extension CollectionMachine {
    /// The remote's rules compare what a write replaces with the stamp that stands there.
    mutating func noteStanding(_ reading: Reading, _ state: RecordState) {
        guard settings.writeGuard == .rules else { return }
        standing[state.key.id] = state.remote.flatMap { $0.stamp == nil ? .some(reading.stamp) : nil }
    }

    /// Whether it must be read first what stands there: an app's write may have kept the stamp that it had read.
    func isStandingUnknown(_ state: RecordState) -> Bool {
        guard settings.writeGuard == .rules, let remote = state.remote, remote.stamp == nil else { return false }
        return remote.lastStamp != nil && standing[state.key.id] == nil
    }

    /// The stamp of what a write replaces, for the remote's rules.
    func replaced(_ state: RecordState) -> Stamp? {
        guard settings.writeGuard == .rules else { return nil }
        return state.remote?.stamp ?? standing[state.key.id] ?? nil
    }
}
