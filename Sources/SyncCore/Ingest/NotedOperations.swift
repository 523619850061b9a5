internal import JSONText
internal import SyncModel

/// Which operations with an `opID` have had their effect, and which have waited, in a hold or in the quarantine: those have
/// it when they are let through, and a line that takes the place of one of them has its own.
struct NotedOperations {
    private var noted: Set<OperationMark>
    /// Those that are to be noted.
    private var new: [OperationMark] = []

    init(_ lines: [JournalMachine.Line], in book: some RecordBook) throws {
        var marks: [OperationMark] = []
        for line in lines {
            guard let mark = line.mark else { continue }
            marks.append(mark)
            marks.append(mark.waited)
        }
        noted = marks.isEmpty ? [] : try book.noted(marks)
    }

    /// Whether a line must have no effect: it had it before, or the same line waits.
    func contain(_ line: JournalMachine.Line, in book: some RecordBook) throws -> Bool {
        guard let mark = line.mark else { return false }
        if noted.contains(mark) { return true }
        guard noted.contains(mark.waited), case .success(let operation) = line.operation else { return false }
        return try book.waits(line.text, of: operation.key)
    }

    /// - Parameter hasEffect: whether it has had it, and does not wait.
    mutating func note(_ line: JournalMachine.Line, hasEffect: Bool) {
        guard let mark = line.mark else { return }
        let noting = hasEffect ? mark : mark.waited
        if noted.insert(noting).inserted { new.append(noting) }
    }

    func write(in book: some RecordBook, _ time: StampPolicy) throws {
        if !new.isEmpty { try book.note(new, time) }
    }
}

extension RecordBook {
    /// Notes operations that have had their effect, or wait.
    func note(_ marks: [OperationMark], _ time: StampPolicy) throws {
        try registerOperations(marks, now: time.stampTime, forgetsOld: time.ageTime != nil)
    }
}
