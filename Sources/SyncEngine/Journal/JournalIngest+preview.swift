internal import ControlAPI
internal import JournalTail
internal import LocalStore
internal import OperatingSystem
internal import SyncCore
internal import SyncModel
internal import Synchronization

extension JournalIngest {
    /// What reading the journal would change that a hold keeps from being read.
    ///
    /// - Parameters:
    ///   - approved: whether the hold is; else what was appended since it was raised is read where a journal was rewritten.
    ///   - book: a rehearsal over `transaction`, to which its lines are applied.
    ///   - limit: how many bytes are read at most; nil for all.
    /// - Throws: a ``ControlError`` where the journal can't be read, or is longer.
    func changes(
        byReadingJournalFor hold: Hold, approved: Bool, in book: some RecordBook, over transaction: Transaction,
        limit: Int? = nil
    ) throws -> HoldChanges {
        var machine = JournalMachine(isReplaying: machine.withLock { $0.isReplaying })
        var (keys, seen, length, unreadable) = ([RecordKey](), Set<RecordKey>(), 0, 0)
        let applier = context.applier
        do {
            let start = try Course.start(deciding: hold, approved: approved, in: transaction)
            guard let start else { return try HoldChanges(among: [], from: transaction, to: book, context) }
            let from = JournalTail.Start(start, backlog(start.backlog))
            try JournalTail.readBatches(of: context.settings.journalPath, from: from) { batch in
                let lines = batch.elements.map { JournalMachine.Line($0, applier) }
                length += lines.reduce(0) { $0 + $1.length }
                if let limit, length > limit { throw ControlError.journalTooLong }
                for line in lines {
                    guard case .success(let operation) = line.operation else {
                        unreadable += 1
                        continue
                    }
                    if seen.insert(operation.key).inserted { keys.append(operation.key) }
                }
                let origin = applier.time.origin(
                    isBacklog: batch.isBacklog, isReplayed: machine.isReplaying, modified: batch.modified)
                _ = try machine.apply(
                    lines, from: batch.file, origin, monotonic: context.clock.monotonic(), in: book, applier)
            }
        } catch let error as SystemError {
            throw ControlError(500, "journalUnreadable", "the journal can't be read: \(error)")
        }
        return try HoldChanges(among: keys, unreadable: unreadable, from: transaction, to: book, context)
    }
}

extension ControlError {
    fileprivate static let journalTooLong = ControlError(
        500, "journalTooLong", "the journal is too long to say what reading it would change")
}
