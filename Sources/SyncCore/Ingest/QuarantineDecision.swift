internal import JSONText
package import SyncModel

/// What is done about an item of the quarantine: by a person, or where something else may hold now.
extension RecordBook {
    /// One more attempt: at once for a line of the journal, by the next push for a refused version. What comes from the remote
    /// is read again: ``CollectionMachine/Input/rereading(_:of:)``.
    ///
    /// - Parameters:
    ///   - checked: what checks made of a line.
    ///   - isDecided: whether a person wants it now: a line that was given no stamp is an edit of now.
    package func retry(
        _ item: QuarantinedItem, as checked: CheckedOperation? = nil, isDecided: Bool = false,
        _ applier: OperationApplier
    ) throws {
        switch item.source {
        case .journal: _ = try applier.retry(item, as: checked, isDecided: isDecided, in: self)
        case .push:
            try noteRetried(item)
            try release(item, applier.context(item.collection ?? .default))
        case .pull: break
        }
    }

    /// Takes an item out of the quarantine for good. Of a refused version what the remote has is taken; what comes from the
    /// remote is read again, as after ``retry(_:as:isDecided:_:)``. What is no record's there stays until the remote shows
    /// something else: it would come back as it is.
    package func drop(_ item: QuarantinedItem, _ applier: OperationApplier) throws {
        let isEnabled = item.collection.map { applier.rules($0) != nil } ?? false
        if item.source == .pull, item.key == nil, isEnabled { return }
        try release(item, applier.context(item.collection ?? .default))
        if item.source == .journal, let line = item.payload, let opID = (try? applier.operation(line[...]))?.opID {
            try note(OperationMark(opID).dropped(line), applier.time)
        }
        guard let key = item.key else { return }
        switch item.source {
        case .journal: break
        case .push:
            try change(key, applier) { state, clock, context in
                let now = applier.time.now(over: state, &clock)
                return state.refusedVersionDropped(at: now, clock: &clock, context)
            }
        case .pull:
            // It is read again: what waits here goes out, or the item comes back with its reason. Never without a condition:
            // something stands there.
            try change(key, applier) { state, _, _ in
                state.attempted()
                return Outcome()
            }
        }
    }
}

extension QuarantinedItem {
    /// The record it is about; nil where that has no id.
    package var key: RecordKey? {
        guard let collection, let id = record.flatMap({ RecordID($0) }) else { return nil }
        return RecordKey(collection, id)
    }

    /// The key of a record that is not in upper case; nil for any other.
    fileprivate var otherKey: String? {
        guard !isTombstone, let record, let id = RecordID(record), id.description != record else { return nil }
        return record
    }
}

extension CollectionMachine.Input {
    /// What of these items has come from the remote of a collection, to be read again after they were retried or dropped.
    package static func rereading(
        _ items: [QuarantinedItem], of collection: CollectionID
    ) -> [CollectionMachine.Input] {
        let pulled = items.filter { $0.source == .pull && $0.collection == collection }
        let records = pulled.filter { !$0.isTombstone }.compactMap(\.key?.id)
        let tombstones = pulled.filter(\.isTombstone).compactMap(\.key?.id)
        // Where an item has left the quarantine, nothing else knows of such a key.
        let keys = pulled.compactMap(\.otherKey)
        return (records.isEmpty ? [] : [.readAgain(records)])
            + (tombstones.isEmpty ? [] : [.readAgain(tombstones, tombstones: true)])
            + (keys.isEmpty ? [] : [.readKeys(keys)])
    }
}
