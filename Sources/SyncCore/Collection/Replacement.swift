internal import SyncModel

/// What stands below a key was replaced, as far as a stream has shown it.
struct Replacement {
    let key: String
    /// What stands there now.
    private(set) var shown: Set<RecordID> = []

    init(below key: String) { self.key = key }

    mutating func note(_ event: RemoteEvent, _ rules: CollectionRules) {
        switch event {
        case .changed(let entry):
            guard let id = rules.recordID(of: entry.key) else { return }
            if entry.value == .absent { shown.remove(id) } else { shown.insert(id) }
        case .echoed(let write, _): if let id = rules.recordID(of: write.key) { shown.insert(id) }
        case .snapshotBegan, .snapshotEntry, .snapshotEnded, .replaced, .touched: return
        }
    }
}
