internal import JSONText
internal import SyncModel

/// Which operations with an `opID` have had their effect, and which have waited, in a hold or in the quarantine: those have
/// it when they are let through, and a line that takes the place of one of them has its own. A line that was dropped there
/// has none, however often it stands in the journal.
struct NotedOperations {
    private var noted: Set<OperationMark>
    /// Those that are to be noted.
    private var new: [OperationMark] = []
    /// The texts of those that were dropped.
    private var dropped: Set<[UInt8]> = []

    init(_ lines: [JournalMachine.Line], in book: some RecordBook) throws {
        var marks: [OperationMark] = []
        for line in lines {
            guard let mark = line.mark else { continue }
            marks.append(mark)
            marks.append(mark.waited)
        }
        noted = marks.isEmpty ? [] : try book.noted(marks)
        guard !noted.isEmpty else { return }
        let waited = lines.filter { $0.mark.map { noted.contains($0.waited) && !noted.contains($0) } ?? false }
        guard !waited.isEmpty else { return }
        let texts = waited.map { Array($0.text) }
        let asDropped = texts.map { OperationMark(dropped: $0) }
        let known = try book.noted(asDropped)
        dropped = Set(zip(texts, asDropped).filter { known.contains($1) }.map(\.0))
    }

    /// Whether a line must have no effect: it had it before, or the same line waits, or was dropped.
    func contain(_ line: JournalMachine.Line, in book: some RecordBook) throws -> Bool {
        guard let mark = line.mark else { return false }
        if noted.contains(mark) { return true }
        guard noted.contains(mark.waited), case .success(let operation) = line.operation else { return false }
        return try dropped.contains(Array(line.text)) || book.waits(line.text, of: operation.key)
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

extension OperationMark {
    /// By what a line of the journal is known again that was rejected in a hold, or dropped from the quarantine.
    ///
    /// - Parameter line: its text.
    init(dropped line: [UInt8]) { self = OperationMark(ContentHash(of: line)).waited }

    /// What is noted of a line with this operation that is dropped. That it has waited may be forgotten by then.
    func dropped(_ line: [UInt8]) -> [OperationMark] { [waited, OperationMark(dropped: line)] }
}

extension RecordBook {
    /// Notes operations that have had their effect, wait, or were dropped.
    func note(_ marks: [OperationMark], _ time: StampPolicy) throws {
        try registerOperations(marks, now: time.stampTime, forgetsOld: time.ageTime != nil)
    }
}
