internal import JSONText
package import SyncModel

extension OperationApplier {
    /// Tries a quarantined journal operation again, with the stamp it was first given, or for the time at which it was made;
    /// true where it has left the quarantine. It has no effect any more where another line with its `opID` had it.
    ///
    /// - Parameters:
    ///   - checked: what checks made of it.
    ///   - isDecided: whether a person wants it now: what was given no stamp is an edit of now.
    package func retry(
        _ item: QuarantinedItem, as checked: CheckedOperation? = nil, isDecided: Bool = false,
        editsCountSince since: UInt64? = nil, in book: some RecordBook
    ) throws -> Bool {
        guard let line = item.payload else { return false }
        if item.defect.code == .lineTooLong {
            // Only its beginning was kept: what that says is nothing anybody has written.
            try book.noteAttempt(item, item.defect)
            return false
        }
        var named = item
        do {
            let operation =
                try checked.map { try $0.without(editsOf: book) ?? $0.operation } ?? self.operation(line[...])
            named.isOf(operation.key)
            let mark = operation.opID.map { OperationMark($0) }
            if try !book.isReplaced(mark) {
                let stamping = stamping(of: item, isDecided: isDecided, editsCountSince: since)
                let isApplied = try apply(
                    operation, stamping, line: line[...], from: item.lineSource, origin: .journal, in: book)
                if isApplied, let mark { try book.note([mark], time) }
            }
            try book.release(item, context(operation.key.collection))
            return true
        } catch let unknown as UnknownRecord {
            named.stamp = unknown.stamp
            try book.noteAttempt(named, unknown.defect)
        } catch let defect as Defect {
            try book.noteAttempt(named, defect)
        }
        return false
    }

    /// The item with the record that its line names, where nobody could tell that before.
    package func named(_ item: QuarantinedItem) -> QuarantinedItem {
        guard item.source == .journal, item.collection == nil, let line = item.payload,
            let operation = try? operation(line[...])
        else { return item }
        var item = item
        item.isOf(operation.key)
        return item
    }

    private func stamping(of item: QuarantinedItem, isDecided: Bool, editsCountSince since: UInt64?) -> Stamping {
        if let stamp = item.stamp {
            let isAbove = since.map { stamp.physical >= $0 } ?? false
            return isAbove ? .decided : .given(stamp)
        }
        return isDecided ? .decided : .line(item.madeAt.map { .backlog(modified: $0) } ?? .replayed)
    }
}

extension QuarantinedItem {
    fileprivate mutating func isOf(_ key: RecordKey) {
        if collection == nil { (collection, record) = (key.collection, key.id.description) }
    }

    /// Where and when the line was written; nil where that was not noted.
    fileprivate var lineSource: LineSource? {
        guard let file, let offset, let length else { return nil }
        return LineSource(file: file, offset: offset, length: length, madeAt: madeAt)
    }
}
