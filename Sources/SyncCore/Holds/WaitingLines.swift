internal import SyncModel

/// The lines of the journal that a hold lets wait, read once, in the order they came in.
struct WaitingLines: Sendable {
    struct Line: Sendable {
        let record: HeldRecord
        let text: [UInt8]
        let operation: Result<Operation, Defect>
        /// Whether it can take the place of those that wait before it with the same `opID`; means nothing where there are none.
        fileprivate(set) var canBeApplied = false
    }

    private(set) var all: [Line] = []

    /// None.
    init() {}

    /// - Parameter held: what is held, in the order it happened; what has no line of the journal is passed over.
    init(_ held: [HeldRecord], in book: some RecordBook, _ applier: OperationApplier) throws {
        all = held.compactMap { record in
            guard let text = record.payload else { return nil }
            return Line(
                record: record, text: text, operation: Result { () throws(Defect) in try applier.operation(text[...]) })
        }
        let repeated = opIDsOfSeveral
        guard !repeated.isEmpty else { return }
        for (place, line) in all.enumerated() {
            guard case .success(let operation) = line.operation, let opID = operation.opID, repeated.contains(opID)
            else {
                continue
            }
            all[place].canBeApplied = try canBeApplied(operation, before: place, in: book, applier)
        }
    }

    private var opIDsOfSeveral: Set<String> {
        let opIDs = all.compactMap { try? $0.operation.get().opID }
        return Set(Dictionary(opIDs.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }.keys)
    }

    /// - Parameter place: of the line: what waits before it may make its record, but for what it takes the place of.
    private func canBeApplied(
        _ operation: Operation, before place: Int, in book: some RecordBook, _ applier: OperationApplier
    ) throws -> Bool {
        guard try applier.takes(operation, in: book) else { return false }
        if try operation.kind != .update || book.record(operation.key).state.view != nil { return true }
        return all[..<place].contains { line in
            guard case .success(let earlier) = line.operation else { return false }
            return earlier.kind == .create && earlier.key == operation.key && earlier.opID != operation.opID
        }
    }

    /// Those of these numbers that are deletes.
    func deletes(among numbers: Set<Int64>) -> Set<Int64> {
        numbers.intersection(all.filter { (try? $0.operation.get().kind) == .delete }.map(\.record.number))
    }

    /// The numbers of those whose place another one takes that waits behind them with the same `opID`.
    ///
    /// - Parameter isDone: whether a line is to be applied at all: another one takes no place.
    func replaced(isDone: (HeldRecord, Operation) -> Bool) -> Set<Int64> {
        var taken: Set<String> = []
        var replaced: Set<Int64> = []
        for line in all.reversed() {
            guard case .success(let operation) = line.operation, let opID = operation.opID else { continue }
            if taken.contains(opID) {
                replaced.insert(line.record.number)
            } else if line.canBeApplied, isDone(line.record, operation) {
                taken.insert(opID)
            }
        }
        return replaced
    }
}
