internal import JSONText
package import SyncModel

/// What a journal of which the time is unknown is read in.
package protocol JournalBook: RecordBook {
    /// All lines that were there when the state was made were read.
    func backlogTimeIsKnown() throws
}

/// Applies batches of journal lines: the batch and the place after it (``JournalCourse``) are one transaction of its owner.
///
/// A value; what it remembers is only the pace of deletes, which the book has too, less exactly, and whether the book's
/// backlog is read.
package struct JournalMachine: Sendable {
    package var deletes = OwnDeletes()
    /// Lines that were there when the state was made are not all read yet: nobody knows when they were written.
    package private(set) var isReplaying: Bool

    package init(isReplaying: Bool = false) { self.isReplaying = isReplaying }

    /// All complete lines have been read: what comes from now on is dated by its file.
    ///
    /// - Returns: whether the lines of unknown time end with that.
    package mutating func caughtUp(in book: some JournalBook) throws -> Bool {
        guard isReplaying else { return false }
        try book.backlogTimeIsKnown()
        isReplaying = false
        return true
    }

    /// Applies a batch, and notes that the journal is read up to its end.
    ///
    /// The clocks are looked at here once more: what was asked since they were looked at before may have taken its time.
    ///
    /// - Returns: as ``apply(_:from:_:monotonic:in:_:)``, and how many lines were read by now; nil where the clocks can't agree,
    ///   and the batch waits: but for the hold that says so nothing is changed.
    package mutating func read<Place: JournalPlace, Book: RecordBook>(
        _ lines: [Line], upTo place: Place, from file: String, _ origin: StampPolicy.Origin, monotonic: UInt64,
        in book: Book, _ applier: OperationApplier
    ) throws -> (rejected: [QuarantinedItem], lines: Int)? {
        let time = applier.time
        if time.isClockWrong, try ClockWrong.check(time, serverIsKnown: time.serverIsKnown, in: book) { return nil }
        let rejected = try apply(lines, from: file, origin, monotonic: monotonic, in: book, applier)
        return (rejected, try JournalCourse<Place>.reached(place, lines: lines.count, in: book))
    }

    /// Applies the lines in their order; one that can't be applied goes to quarantine, and the next one follows.
    ///
    /// - Parameters:
    ///   - file: the path of the journal, for the quarantine.
    ///   - monotonic: milliseconds on a clock that only goes forward.
    /// - Returns: what went to quarantine.
    package mutating func apply<Book: RecordBook>(
        _ lines: [Line], from file: String, _ origin: StampPolicy.Origin, monotonic: UInt64, in book: Book,
        _ applier: OperationApplier
    ) throws -> [QuarantinedItem] {
        var rejected: [QuarantinedItem] = []
        var applier = applier
        // While the clocks can't agree, lines are read only where a person has approved that.
        applier.time.trustsServer = true
        try book.timeOfNode(now: applier.time.stampTime)
        let madeAt = applier.time.madeAt(origin)
        var operations = try NotedOperations(lines, in: book)
        let holds = try holdsForDeletes(lines, but: operations, monotonic: monotonic, in: book, applier)
        for line in lines {
            if try operations.contain(line, in: book) { continue }
            var hasEffect = false
            do {
                if let objection = line.objection { throw objection }
                let operation = try line.operation.get()
                if operation.kind == .delete, let hold = holds[operation.key.collection] {
                    let context = applier.context(operation.key.collection)
                    try book.attach(
                        operation.key, to: hold, payload: Array(line.text),
                        source: line.source(file, madeAt), context)
                } else if let changed = try line.checked?.without(editsOf: book) {
                    hasEffect = try applier.apply(
                        changed, .line(origin), line: line.text, from: line.source(file, madeAt),
                        origin: .journal, in: book)
                } else {
                    hasEffect = try applier.apply(
                        operation, checked: line.edit, .line(origin), line: line.text,
                        from: line.source(file, madeAt), origin: .journal, in: book)
                }
            } catch let unknown as UnknownRecord {
                let (defect, stamp) = (unknown.defect, unknown.stamp)
                rejected.append(try reject(line, defect, stamp, (file, madeAt), in: book, applier))
            } catch let defect as Defect {
                rejected.append(try reject(line, defect, nil, (file, madeAt), in: book, applier))
            }
            operations.note(line, hasEffect: hasEffect)
        }
        for hold in holds.values where try !book.namesAny(hold: hold) { try book.removeHold(hold) }
        try operations.write(in: book, applier.time)
        return rejected
    }

    private func reject(
        _ line: Line, _ defect: Defect, _ stamp: Stamp?, _ source: (file: String, madeAt: UInt64?),
        in book: some RecordBook, _ applier: OperationApplier
    ) throws -> QuarantinedItem {
        var item = QuarantinedItem(.journal, defect, since: applier.time.wall)
        (item.file, item.madeAt) = source
        item.offset = Int64(line.offset)
        item.length = Int64(line.length)
        item.payload = Array(line.text)
        item.stamp = stamp
        if case .success(let operation) = line.operation {
            item.collection = operation.key.collection
            item.record = operation.key.id.description
        }
        try book.quarantine(item, applier.context(item.collection ?? .default))
        return item
    }

    /// For each collection of which this batch would delete too much: the hold that takes its deletes.
    private mutating func holdsForDeletes<Book: RecordBook>(
        _ lines: [Line], but noted: NotedOperations, monotonic: UInt64, in book: Book, _ applier: OperationApplier
    ) throws -> [CollectionID: Int64] {
        var keys: [CollectionID: Set<RecordID>] = [:]
        var handovers = Handovers()
        for line in lines {
            guard line.isDelete, case .success(let operation) = line.operation,
                try !noted.contain(line, in: book),
                try !handovers.include(operation, among: lines, in: book, applier)
            else { continue }
            keys[operation.key.collection, default: []].insert(operation.key.id)
        }
        var holds: [CollectionID: Int64] = [:]
        for (collection, ids) in keys {
            let gone = try ids.filter { try book.record(RecordKey(collection, $0)).state.view != nil }
            let isAdmitted = try deletes.admit(
                Array(gone), of: collection, wall: applier.time.wall, monotonic: monotonic, in: book)
            guard !isAdmitted else { continue }
            let live = try book.counts(of: collection).records
            holds[collection] = try MassDelete.raise(
                .journal, of: collection, live: live, since: applier.time.wall, in: book)
        }
        return holds
    }
}
