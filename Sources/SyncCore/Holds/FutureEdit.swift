internal import SyncModel

/// A journal operation is dated further in the future than `clock.maxAhead`; it ends when time has caught up with it.
struct FutureEdit: HoldRule {
    /// Raises the hold for one operation, which waits there with its line, and gives its number.
    ///
    /// - Parameter lastEdit: of its record when it began to wait elsewhere; nil where that is now.
    @discardableResult
    static func raise(
        for operation: Operation, line: ArraySlice<UInt8>, from source: LineSource?, lastEdit: Stamp? = nil,
        _ time: StampPolicy, in book: some RecordBook, _ context: BookContext
    ) throws -> Int64 {
        let at = operation.at ?? time.wall
        let reason =
            "\(operation.kind.rawValue) of \(operation.key.id) is dated \(RFC3339.text(at)), "
            + "\(Span(milliseconds: at - min(at, time.serverNow))) in the future"
        var hold = Hold(.futureEdit, .journal, reason: reason, since: time.wall)
        hold.collection = operation.key.collection
        hold.record = operation.key.id
        hold.until = at
        let number = try book.raise(hold)
        try book.attach(operation.key, to: number, payload: Array(line), source: source, lastEdit: lastEdit, context)
        return number
    }

    func approval(of hold: Hold) -> String {
        "applies the edit, dated now (a delete not where the record was edited since), and the later ones of the record "
            + "up to one that is from the future, too"
    }

    func rejection(of hold: Hold) -> String {
        "drops the edit, and applies the later ones of the record up to one that is from the future, too"
    }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        let dropped = approved ? nil : record.lines.first
        let edits = record.edits { line, operation in
            line.number != dropped?.record.number && !record.isSpared(from: operation, line)
        }
        if let dropped {
            let follows = edits.contains { $0.record.number != dropped.record.number }
            return "\(dropped.operation.kind.rawValue) dropped" + (follows ? "; the rest follows" : "")
        }
        guard let first = edits.first else { return "nothing" }
        let later = edits.count > 1 ? ", and \(edits.count - 1) more behind it" : ""
        if record.isSpared(from: first.operation, first.record) { return "stays: it was edited since\(later)" }
        return "\(first.operation.kind.rawValue) applied, dated now\(later)"
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        try decision.applyOperations(.decided, origin: .decision)
        return .none
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        // The first is the one that it was raised for.
        let first = decision.held.first?.number
        try decision.applyOperations(.decided, origin: .decision) { record, _ in
            record.number == first ? .dropsOperation : nil
        }
        return .none
    }

    var expires: Bool { true }

    func expire<Book>(_ decision: HoldDecision<Book>) throws {
        try decision.applyOperations(.asMade, origin: .journal)
    }
}
