internal import SyncModel

/// Updates that wait in quarantine for their record.
extension CollectionMachine {
    /// Tries updates of unknown records again: the pull is complete, so the record is here now if it is anywhere.
    mutating func retryUnknownRecords<Book>(_ step: inout Step<Book>) throws {
        retriesUnknown = !mayPush || !hints.isEmpty
        guard !retriesUnknown, try step.book.anyQuarantined() else { return }
        try retry(step.book.quarantined(code: .unknownRecord, in: rules.id), &step)
    }

    /// The record that updates were waiting for has come.
    ///
    /// - Parameter since: updates that were made since this time go above what stands there.
    mutating func retryUnknownRecord<Book>(
        _ key: RecordKey, editsCountSince since: UInt64? = nil, _ step: inout Step<Book>
    ) throws {
        guard try step.book.anyQuarantined() else { return }
        let items = try step.book.quarantined(collection: key.collection, record: key.id.description)
        try retry(items.filter { $0.defect.code == .unknownRecord }, editsCountSince: since, &step)
    }

    private mutating func retry<Book>(
        _ items: [QuarantinedItem], editsCountSince since: UInt64? = nil, _ step: inout Step<Book>
    ) throws {
        let applier = OperationApplier(
            time: step.time.policy, keepsTombstones: settings.keepsTombstones,
            rules: { [rules] in
                $0 == rules.id ? rules : nil
            })
        for item in try step.book.dropCorrected(items, applier) {
            let isApplied = try applier.retry(item, editsCountSince: since, in: step.book)
            if isApplied, let id = item.record.flatMap({ RecordID($0) }) { queue.append(id) }
        }
    }
}
