internal import JSONText
internal import OperatingSystem

/// A journal file open for reading, with what was read of it; it stays the same file whatever happens to its name.
///
/// A class, so that the buffer of a growing line is never copied.
final class OpenJournal {
    enum Reading {
        case batch(JournalBatch)
        /// No complete line is left.
        case end(size: UInt64)
        /// What was read before is no longer there as it was.
        case changed
    }

    let file: ReadableFile
    let key: FileKey
    let generation: Int
    /// What was there when the tail started.
    private let backlog: JournalBacklog.Part?
    private var backlogEnd: UInt64 { backlog?.size ?? 0 }
    private let finished: [FileKey]
    /// Whether the journal's path names it: only then its time tells which files are later. One that was renamed may be
    /// written to after they were begun.
    var isAtPath: Bool
    private var modified: UInt64
    private var framing: JournalFraming
    private var recheck: Recheck
    /// So far it was looked for a last line that is whole without its end.
    private var examined: UInt64 = 0

    private static let maxBatch: UInt64 = 1 << 20
    /// So few that what follows a batch, and what answers to those before it, need not wait for long.
    private static let maxLines = 1_000
    private static let chunk: UInt64 = 256 << 10

    /// Goes on in `file` at `offset`, the start of a line; its content before that counts as consumed.
    ///
    /// - Parameters:
    ///   - sum: what is known of the complete blocks before `offset`, as ``BlockDigest`` has it.
    ///   - isAtPath: whether the journal's path names it.
    ///   - modified: its time is no later than this: what the others beside it were compared with.
    init(
        _ file: ReadableFile, at offset: UInt64, sum: [UInt8]?, generation: Int, backlog: JournalBacklog.Part?,
        finished: [FileKey], isAtPath: Bool, modified: UInt64, pace: CheckPace
    ) throws(SystemError) {
        self.file = file
        let identity = try file.identity()
        key = FileKey(identity)
        self.isAtPath = isAtPath
        let isKnownAgain = isAtPath || key.birth != nil
        self.modified = isKnownAgain ? min(modified, identity.modifiedNanoseconds) : identity.modifiedNanoseconds
        self.finished = finished
        self.generation = generation
        self.backlog = backlog
        recheck = Recheck(identity, isResumed: offset > 0, pace: pace)
        let headLength = min(offset, UInt64(ConsumedTrace.headLimit))
        let tailLength = min(offset, UInt64(ConsumedTrace.tailLimit))
        let blocks = offset / UInt64(BlockDigest.blockSize)
        let rest = offset % UInt64(BlockDigest.blockSize)
        var digest = BlockDigest(block: blocks, sum: sum)
        digest.add(try file.read(at: offset - rest, count: Int(rest))[...])
        let trace = ConsumedTrace(
            head: try file.read(at: 0, count: Int(headLength)),
            tail: try file.read(at: offset - tailLength, count: Int(tailLength)), digest: digest)
        framing = JournalFraming(offset: offset, trace: trace)
    }

    func position() -> JournalPosition {
        JournalPosition(
            of: key, offset: framing.consumed, trace: framing.trace(), generation: generation, modified: modified,
            finished: finished)
    }

    /// Where the next line to be taken begins.
    var offset: UInt64 { framing.consumed }

    /// The next lines, as many as fit a batch; lines that were there at the start are never mixed with later ones.
    ///
    /// - Parameter most: no more lines than this; at least one.
    func read(atMost most: Int) throws(SystemError) -> Reading {
        let start = framing.consumed
        var isBacklog = start < backlogEnd
        var elements: [JournalElement] = []
        while true {
            let isFull = take(
                &elements, min(most, OpenJournal.maxLines), since: start, upTo: isBacklog ? backlogEnd : .max)
            if isFull { return .batch(try batch(elements, isBacklog: isBacklog)) }
            if isBacklog, framing.fed >= backlogEnd {
                if framing.consumed > start { return .batch(try batch(elements, isBacklog: true)) }
                isBacklog = false
                continue
            }
            let progress = try readChunk()
            if progress == .more { continue }
            // Lines read before the change were still whole; the change is found again by the next call.
            if framing.consumed > start { return .batch(try batch(elements, isBacklog: isBacklog)) }
            return progress == .changed ? .changed : .end(size: framing.fed)
        }
    }

    /// The last line where nobody has ended it; nil where there is none.
    ///
    /// - Parameter ifWhole: only where it is whole all the same: a JSON object up to its last brace. What is written behind
    ///   that is another line.
    func rest(ifWhole: Bool) throws(SystemError) -> JournalBatch? {
        if ifWhole {
            guard framing.fed > examined else { return nil }
            examined = framing.fed
            guard (try? JSONReader.members(framing.unended)) != nil else { return nil }
        }
        let isBacklog = framing.consumed < backlogEnd
        guard let element = framing.rest() else { return nil }
        return try batch([element], isBacklog: isBacklog)
    }

    /// Whether it has no name any more.
    var isDeleted: Bool { (try? file.identity().linkCount) == 0 }

    /// A batch without lines, to have the position committed.
    func emptyBatch() throws(SystemError) -> JournalBatch { try batch([], isBacklog: false) }

    /// Moves lines from the framing to `elements`; true when the batch is full.
    private func take(
        _ elements: inout [JournalElement], _ most: Int, since start: UInt64, upTo limit: UInt64
    ) -> Bool {
        while elements.count < most, framing.consumed - start < OpenJournal.maxBatch {
            guard let element = framing.next(upTo: limit) else { return false }
            elements.append(element)
        }
        return true
    }

    private func batch(_ elements: [JournalElement], isBacklog: Bool) throws(SystemError) -> JournalBatch {
        let identity = try file.identity()
        let isLatest = isAtPath || key.birth == nil
        modified = isLatest ? identity.modifiedNanoseconds : min(modified, identity.modifiedNanoseconds)
        return JournalBatch(
            elements: elements, position: position(), file: isAtPath ? file.path : file.presentPath,
            size: identity.size, isBacklog: isBacklog,
            modified: (isBacklog ? backlog?.modified : nil) ?? identity.modified)
    }

    private enum Progress { case more, changed, end }

    /// Adds what follows to the framing, after making sure that it still follows what was read before.
    ///
    /// The bytes before come with the same read as the new ones, and the head is looked at afterwards: a file that is
    /// emptied and filled again between two looks can't pass for its old self.
    private func readChunk() throws(SystemError) -> Progress {
        let recent = framing.recent
        let identity = try file.identity()
        recheck.note(identity)
        let size = identity.size
        guard size >= framing.fed else { return .changed }
        let count = Int(min(size - framing.fed, OpenJournal.chunk))
        let bytes = try file.read(at: framing.fed - UInt64(recent.count), count: recent.count + count)
        guard bytes.starts(with: recent) else { return .changed }
        let head = framing.head
        guard try file.read(at: 0, count: head.count) == head else { return .changed }
        guard bytes.count > recent.count else { return .end }
        framing.add(recent.isEmpty ? bytes : Array(bytes[recent.count...]))
        return .more
    }
}

// MARK: - Reading again what was consumed

extension OpenJournal {
    /// How long no check is due, if nothing happens to the file; nil for ever.
    func delayOfCheck(now: ContinuousClock.Instant) -> Duration? {
        recheck.delay(consumed: framing.consumed, now: now)
    }

    /// Asks for a last check of the file; true when it has been made.
    func isCheckedToTheEnd() -> Bool { framing.consumed == 0 || recheck.finish() }

    enum Finding {
        case nothing
        /// The position knows more than before, and is worth committing.
        case learned
        /// What was consumed is different now.
        case different
    }

    /// Goes on with the check.
    func check(now: ContinuousClock.Instant) -> Finding {
        do throws(SystemError) {
            let outcome = try recheck.step(
                in: file, expecting: framing.trace().digest, now: now, wall: WallClock.nanoseconds)
            switch outcome {
            case .differs: return .different
            case .learned(let earlier):
                framing.learned(earlier)
                return .learned
            case .same, nil: break
            }
        } catch {
            // Who reads the file for its lines will find out the same, and say so.
            recheck.abandon(now: now)
        }
        return .nothing
    }
}
