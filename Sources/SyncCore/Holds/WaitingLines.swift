internal import SyncModel

/// The lines of the journal that a hold lets wait, read once, in the order they came in.
struct WaitingLines: Sendable {
    struct Line: Sendable {
        let record: HeldRecord
        let text: [UInt8]
        let operation: Result<Operation, Defect>
    }

    let all: [Line]
    /// Those that can be read.
    let readable: [(record: HeldRecord, operation: Operation)]
    /// The numbers of those that could take the place of others with the same `opID`.
    private let applicable: Set<Int64>

    /// None.
    init() { (all, readable, applicable) = ([], [], []) }

    /// - Parameter held: what is held, in the order it happened; what has no line of the journal is passed over.
    init(_ held: [HeldRecord], in book: some RecordBook, _ applier: OperationApplier) throws {
        all = held.compactMap { record in
            guard let text = record.payload else { return nil }
            return Line(
                record: record, text: text, operation: Result { () throws(Defect) in try applier.operation(text[...]) })
        }
        let readable = all.compactMap { line in (try? line.operation.get()).map { (record: line.record, operation: $0) }
        }
        self.readable = readable
        let repeated = OperationApplier.repeatedOpIDs(readable.map(\.operation))
        let several = readable.indices.filter { readable[$0].operation.opID.map(repeated.contains) ?? false }
        applicable = try Set(
            several.filter { place in
                let earlier = readable[..<place].lazy.map(\.operation)
                return try applier.canBeApplied(readable[place].operation, after: earlier, in: book)
            }.map { readable[$0].record.number })
    }

    /// Those of these numbers that are deletes.
    func deletes(among numbers: Set<Int64>) -> Set<Int64> {
        numbers.intersection(readable.filter { $0.operation.kind == .delete }.map(\.record.number))
    }

    /// The numbers of those whose place another one takes that waits behind them with the same `opID`.
    ///
    /// - Parameter isDone: whether a line is to be applied at all: another one takes no place.
    func corrected(isDone: (HeldRecord, Operation) -> Bool) -> Set<Int64> {
        OperationApplier.corrected(readable.map { ($0.record.number, $0.operation) }) { place in
            let (record, operation) = readable[place]
            return applicable.contains(record.number) && isDone(record, operation)
        }
    }
}
