package import SyncModel

/// Every way into the quarantine and out of it: whether the record is pending follows at once.
extension RecordBook {
    /// Puts an item into quarantine. An item of the push or pull of the same record takes the place of the earlier one.
    package func quarantine(_ item: QuarantinedItem, _ context: BookContext) throws {
        try insertQuarantined(item)
        try reconsiderRecord(of: item, context)
    }

    /// Takes an item out of the quarantine. Taking it out again has no effect.
    package func release(_ item: QuarantinedItem, _ context: BookContext) throws {
        try removeQuarantined(item)
        try reconsiderRecord(of: item, context)
    }

    private func reconsiderRecord(of item: QuarantinedItem, _ context: BookContext) throws {
        guard item.source != .journal, let collection = item.collection else { return }
        guard let id = item.record.flatMap({ RecordID($0) }) else { return }
        try reconsider(RecordKey(collection, id), context)
    }
}
