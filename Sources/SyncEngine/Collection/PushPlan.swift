internal import LocalStore
internal import SyncCore
internal import SyncModel

/// How records are pushed: together, one by one, or not at all now.
///
/// One whose ETag is not known is read on its own, not in a page: a page shows no ETags.
struct PushPlan {
    var batch: [RecordState] = []
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
            default: if guarded { batch.append(state) } else { single.append(state) }
            }
        }
    }
}
