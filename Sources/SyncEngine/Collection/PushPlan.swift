internal import LocalStore
internal import SyncCore
internal import SyncModel

/// How records are pushed: together, one by one, or not before they have been read.
struct PushPlan {
    var batch: [RecordState] = []
    var single: [RecordState] = []
    /// Many whose ETag is not known: read in pages first.
    var unread: [RecordID] = []
    var oddKeys: [RecordID: String] = [:]
    var done: [RecordID] = []

    init(_ records: [StoredRecord], _ context: PushContext, guarded: Bool) {
        var unread: [RecordState] = []
        for record in records {
            let state = record.state
            guard record.pending == .yes else {
                done.append(state.key.id)
                continue
            }
            switch state.step(context) {
            case .nothing, .blocked: done.append(state.key.id)
            case .insertInBatch: batch.append(state)
            case _ where guarded: batch.append(state)
            case .read: unread.append(state)
            default: single.append(state)
            }
        }
        if unread.count > CollectionWork.largestReading {
            self.unread = unread.map(\.key.id)
            for state in unread { oddKeys[state.key.id] = state.node?.key }
        } else {
            single += unread
        }
    }
}
