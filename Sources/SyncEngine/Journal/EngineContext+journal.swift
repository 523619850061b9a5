internal import ControlAPI
internal import JournalTail
internal import LocalStore
internal import OperatingSystem
internal import SyncCore
internal import SyncModel

extension EngineContext {
    /// How much of the journal is read at once, in bytes.
    private static let piece = 1 << 20

    /// What reading the journal would change that a hold keeps from being read.
    ///
    /// - Parameter approved: whether the hold is; else what was appended since it was raised is read where a journal was
    ///   rewritten.
    /// - Parameter book: a rehearsal over `transaction`, to which its lines are applied.
    /// - Throws: a ``ControlError`` where the journal can't be read.
    func changes(
        byReadingJournalFor hold: Hold, approved: Bool, in book: some RecordBook, over transaction: Transaction
    ) throws -> HoldChanges {
        var machine = JournalMachine()
        var (keys, seen) = ([RecordKey](), Set<RecordKey>())
        let applier = applier
        do {
            let file = try ReadableFile(path: settings.journalPath)
            let origin: StampPolicy.Origin =
                approved && hold.kind == .journalRewritten ? .backlog(modified: try file.identity().modified) : .live
            var offset = try JournalIngest.start(in: file, after: hold, approved: approved, of: transaction)
            var framing = JournalFraming(offset: offset)
            while case let bytes = try file.read(at: offset, count: EngineContext.piece), !bytes.isEmpty {
                offset += UInt64(bytes.count)
                framing.add(bytes)
                var lines: [JournalMachine.Line] = []
                while let element = framing.next() { lines.append(JournalMachine.Line(element, applier)) }
                // They count once.
                let noted = try transaction.noted(lines.compactMap(\.mark))
                lines.removeAll { $0.mark.map(noted.contains) ?? false }
                for line in lines {
                    guard case .success(let operation) = line.operation else { continue }
                    if seen.insert(operation.key).inserted { keys.append(operation.key) }
                }
                _ = try machine.apply(
                    lines, from: settings.journalPath, origin, monotonic: clock.monotonic(), in: book, applier)
            }
        } catch let error as SystemError where !error.isMissing {
            throw ControlError(500, "journalUnreadable", "the journal can't be read: \(error)")
        } catch is SystemError {
            // Where there is no journal, nothing of it is read.
        }
        return try HoldChanges(among: keys, from: transaction, to: book, self)
    }
}
