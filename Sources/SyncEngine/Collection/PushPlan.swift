internal import LocalStore
internal import SyncCore
internal import SyncModel

/// How records are pushed: together, or one by one.
struct PushPlan {
    var batch: [RecordState] = []
    /// Those whose ETag is not known are among them: only a read of one record tells it.
    var single: [RecordState] = []
    var done: [RecordID] = []

    init(_ records: [StoredRecord], _ context: PushContext, guarded: Bool) {
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
            default: single.append(state)
            }
        }
    }
}
