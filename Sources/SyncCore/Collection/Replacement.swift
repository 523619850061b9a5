internal import SyncModel

/// What stands below a key was replaced, as far as a stream has shown it.
struct Replacement {
    /// Nil for none.
    private(set) var key: String?
    /// Whether what is not shown is gone.
    private(set) var isCertain = true
    /// What stands there now.
    private(set) var shown: Set<RecordID> = []

    init() {}

    init(below key: String, isCertain: Bool = true) { (self.key, self.isCertain) = (key, isCertain) }

    mutating func note(_ event: RemoteEvent, _ rules: CollectionRules) {
        guard key != nil else { return }
        switch event {
        case .changed(let entry):
            guard let id = rules.recordID(of: entry.key) else { return }
            if entry.value == .absent { shown.remove(id) } else { shown.insert(id) }
        case .echoed(let write, _): if let id = rules.recordID(of: write.key) { shown.insert(id) }
        case .snapshotBegan, .snapshotEntry, .snapshotEnded, .replaced, .touched: return
        }
    }
}
