internal import SyncModel

/// Of several lines with one `opID` that wait together the last one counts that can be applied: whoever has corrected a line
/// appends it anew (`docs/protocol.md` section 2).
extension OperationApplier {
    /// The numbers of those whose place another one takes that waits behind them.
    ///
    /// - Parameters:
    ///   - lines: in the order they came in.
    ///   - counts: whether the line at this place is to be applied, and can be.
    static func corrected(
        _ lines: [(number: Int64, operation: Operation)], where counts: (Int) throws -> Bool
    ) rethrows -> Set<Int64> {
        let repeated = repeatedOpIDs(lines.map(\.operation))
        guard !repeated.isEmpty else { return [] }
        var taken: Set<String> = []
        var corrected: Set<Int64> = []
        for (place, line) in lines.enumerated().reversed() {
            guard let opID = line.operation.opID, repeated.contains(opID) else { continue }
            if taken.contains(opID) {
                corrected.insert(line.number)
            } else if try counts(place) {
                taken.insert(opID)
            }
        }
        return corrected
    }

    /// Those that several of these have.
    static func repeatedOpIDs(_ operations: [Operation]) -> Set<String> {
        let times = Dictionary(operations.compactMap { $0.opID.map { ($0, 1) } }, uniquingKeysWith: +)
        return Set(times.filter { $0.value > 1 }.keys)
    }

    /// Those of the items, in their order, that were corrected by another one.
    func corrected(_ items: [QuarantinedItem], in book: some RecordBook) throws -> Set<Int64> {
        guard items.count > 1 else { return [] }
        let lines = items.compactMap { item -> (number: Int64, operation: Operation)? in
            guard item.source == .journal, let line = item.payload, let operation = try? operation(line[...]) else {
                return nil
            }
            return (item.number, operation)
        }
        return try OperationApplier.corrected(lines) { place in
            try canBeApplied(lines[place].operation, after: lines[..<place].lazy.map(\.operation), in: book)
        }
    }

    /// Whether a line can take the place of those that wait before it with the same `opID`.
    ///
    /// - Parameter earlier: what waits before it; what it takes the place of makes no record.
    func canBeApplied(
        _ operation: Operation, after earlier: some BidirectionalCollection<Operation>, in book: some RecordBook
    ) throws -> Bool {
        guard try takes(operation, in: book) else { return false }
        if try operation.kind != .update || book.record(operation.key).state.view != nil { return true }
        let create = earlier.last { $0.kind == .create && $0.key == operation.key && $0.opID != operation.opID }
        return create.map { takes(operation, after: $0) } ?? false
    }
}
