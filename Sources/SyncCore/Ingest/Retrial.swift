package import SyncModel

/// Why what is in quarantine is tried once more by itself, and so what of it (`docs/protocol.md` sections 7 and 8).
package enum Retrial: Sendable {
    /// How often it is looked whether an attempt is due, in milliseconds.
    package static let pause: UInt64 = 10 * 60_000

    /// Something else may hold now, as after a reload: what came from the journal, and what the remote refused. What came
    /// from the remote is looked at again whenever it is shown, and a check is asked again when a person wants it.
    ///
    /// - Parameter checking: the collections that have checks.
    case otherwise(checking: Set<CollectionID>)
    /// Nobody tells this node that the rules of the remote have changed, or that something else had answered in its place.
    ///
    /// - Parameter now: by this machine's clock, in milliseconds since 1970.
    case due(now: UInt64)

    package func includes(_ item: QuarantinedItem) -> Bool {
        switch self {
        case .otherwise(let checking):
            item.source != .pull && item.defect.code != .refusedByCheck && !item.isAskedAbout(in: checking)
        case .due(let now): item.isDue(at: now)
        }
    }
}

extension RecordBook {
    /// Tries those of the items once more that are to be.
    ///
    /// - Returns: those that were tried; what of them has come from the remote is to be read again
    ///   (``CollectionMachine/Input/rereading(_:of:)``).
    package func retry(
        _ items: [QuarantinedItem], because reason: Retrial, _ applier: OperationApplier
    ) throws -> [QuarantinedItem] {
        let wanted = items.filter(reason.includes)
        try retry(wanted, applier)
        return wanted
    }

    /// Tries these once more, in their order. Of lines with one `opID` only the last one counts that can be applied now: those
    /// before it are dropped.
    ///
    /// - Parameter isDecided: whether a person wants it now.
    package func retry(_ items: [QuarantinedItem], isDecided: Bool = false, _ applier: OperationApplier) throws {
        for item in try dropCorrected(items, applier) { try retry(item, isDecided: isDecided, applier) }
    }

    /// Drops those of the items that are lines which another one among them takes the place of; gives the others.
    func dropCorrected(_ items: [QuarantinedItem], _ applier: OperationApplier) throws -> [QuarantinedItem] {
        let corrected = try applier.corrected(items, in: self)
        for item in items where corrected.contains(item.number) { try drop(item, applier) }
        return items.filter { !corrected.contains($0.number) }
    }
}

extension QuarantinedItem {
    /// Whether somebody outside is asked before it is tried again: a check, or the remote about a key of no record.
    ///
    /// - Parameter checking: the collections that have checks.
    package func isAskedAbout(in checking: Set<CollectionID>) -> Bool {
        // Of what collection a line is that could not be read, is known when it can be.
        isForChecks && collection.map(checking.contains) ?? !checking.isEmpty || source == .pull && key == nil
    }

    /// Whether checks are asked about it: about each line, but for an update of what is not there.
    package var isForChecks: Bool { source == .journal && defect.code != .unknownRecord }
}

extension OperationApplier {
    /// Whether it is a line of this collection that checks are to see now: no check has refused it, and its collection was not
    /// enabled when it was read, or it could be applied.
    package func isUnseenByChecks(
        _ item: QuarantinedItem, of collection: CollectionID, in book: some RecordBook
    ) throws -> Bool {
        guard item.isForChecks, item.defect.code != .refusedByCheck, item.collection ?? collection == collection else {
            return false
        }
        if item.collection != nil, item.defect.code == .unknownCollection { return true }
        guard let line = item.payload, let operation = try? operation(line[...]) else { return false }
        return try operation.key.collection == collection && takes(operation, in: book)
    }
}
