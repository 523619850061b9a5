internal import JSONText
package import SyncModel

/// What checks are asked about the lines of a batch, and what their answers make of the lines.
///
/// A check sees the record as it would be after the line: of a create what it says with all defaults, of an update the
/// record with the named fields laid over. Deletes are nobody's business.
package struct CheckDesk: Sendable {
    /// The records as earlier lines of the batch leave them; nil for one that is deleted.
    private var views: [RecordKey: [String: JSONValue]?] = [:]

    package init() {}

    /// Whether an earlier line of the batch tells what the record is.
    package func knows(_ key: RecordKey) -> Bool { views[key] != nil }

    /// The whole record to ask about; nil where there is nothing to ask: a delete, an update of what is not there, and what
    /// the collection itself refuses.
    ///
    /// - Parameter stored: what a reader sees of the record before the batch; nil where there is none.
    package func subject(
        of operation: Operation, stored: [String: JSONValue]?, _ rules: CollectionRules
    ) -> [String: JSONValue]? {
        let view = views[operation.key] ?? stored
        let named = operation.fields.filter { !rules.identityNames.contains($0.key) }
        switch operation.kind {
        case .delete: return nil
        case .create: return try? rules.validated(named)
        case .update: return view.flatMap { try? rules.validated(named, over: $0) }
        }
    }

    /// The operation that makes the record what a check wants: what differs from what it was asked about is named too.
    ///
    /// - Parameter stored: as in ``subject(of:stored:_:)``.
    package func completed(
        _ operation: Operation, from asked: [String: JSONValue], to wanted: [String: JSONValue],
        stored: [String: JSONValue]?
    ) -> CheckedOperation {
        var checked = CheckedOperation(operation)
        // As a record stores it: that is what it will be compared with.
        let seen = (views[operation.key] ?? stored).map { Content(fields: $0).fields }
        for name in Set(asked.keys).union(wanted.keys) where asked[name]?.pruned != wanted[name]?.pruned {
            if operation.kind == .update, operation.fields[name] == nil {
                checked.seen[name] = .some(seen?[name])
            }
            if let value = wanted[name] {
                checked.operation.fields[name] = value
            } else {
                checked.operation.fields[name] = operation.kind == .update ? .null : nil
            }
        }
        return checked
    }

    /// Takes note of a line that is let through.
    ///
    /// - Parameter fields: the record as it is then; nil for a delete.
    package mutating func passed(_ operation: Operation, leaving fields: [String: JSONValue]?) {
        if operation.kind == .delete || fields != nil { views[operation.key] = .some(fields) }
    }
}

/// An operation as checks let it through.
package struct CheckedOperation: Hashable, Sendable {
    package fileprivate(set) var operation: Operation
    /// Of the fields that were completed and that the line itself does not name: what a reader saw in each when the checks were
    /// asked.
    fileprivate var seen: [String: JSONValue?] = [:]

    package init(_ operation: Operation) { self.operation = operation }

    /// The operation for a record as it is now. A field that somebody has edited while the checks were asked keeps that edit:
    /// nobody has said anything about it.
    ///
    /// - Returns: nil where nothing was edited.
    func without(editsOf book: some RecordBook) throws -> Operation? {
        guard !seen.isEmpty else { return nil }
        let view = try book.record(operation.key).state.view?.fields
        let edited = seen.filter { view?[$0.key] != $0.value }
        guard !edited.isEmpty else { return nil }
        var operation = operation
        for name in edited.keys { operation.fields[name] = nil }
        return operation
    }
}
