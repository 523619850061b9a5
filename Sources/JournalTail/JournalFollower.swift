internal import OperatingSystem

/// Follows a journal through all that happens to its file: what to read next, and what to say about it.
///
/// Does all its work in ``next()``, never waits, and knows nothing of watches: call it until it returns nil, again
/// whenever something may have happened.
struct JournalFollower {
    private let path: String
    private let folder: JournalFolder
    /// What has been consumed of the newest file; nil before the first.
    private var position: JournalPosition?
    private var phase = Phase.searching
    /// The last thing said about a state that lasts, so that it is not said twice.
    private var lasting: LastingState?
    /// How long the files were when this tail started.
    private var sizesAtStart: [FileKey: UInt64] = [:]
    /// The file at the path, while it is empty and its predecessor is still followed.
    private var successor: ReadableFile?
    /// The files that this tail has read from.
    private var opened: Set<FileKey> = []

    private enum Phase {
        /// No file is open: the path and the position decide.
        case searching
        /// A file is open and read to its end, wherever it is now; `kind` says how its successor will have come about.
        case reading(OpenJournal, then: JournalRotation.Kind, isSuperseded: Bool)
        /// A person is asked what to do with a rewritten file.
        case asking
        /// A person has decided.
        case decided(JournalTail.Decision)
    }

    private enum LastingState: Equatable {
        case caughtUp(size: UInt64, offset: UInt64)
        case missing
        case unreadable(SystemError)
    }

    private enum Step {
        case emit(JournalEvent)
        case proceed
        case idle
    }

    init(path: String, resumingAt position: JournalPosition?) {
        self.path = path
        folder = JournalFolder(path: path)
        self.position = position
        let place = JournalPaths(path: path)
        for sibling in place.siblings() { sizesAtStart[FileKey(sibling.identity)] = sibling.identity.size }
        if let identity = try? FileIdentity.of(path: path) { sizesAtStart[FileKey(identity)] = identity.size }
    }

    /// The folders in which something may happen to the journal.
    var folders: [String] { JournalPaths(path: path).folders }

    /// The file that is being read, and the empty one that is to follow it: a change of either must wake the caller.
    var files: [ReadableFile] {
        guard case .reading(let journal, _, _) = phase else { return [] }
        return [journal.file] + (successor.map { [$0] } ?? [])
    }

    /// True while nothing happens before ``decide(_:)``.
    var isAsking: Bool {
        guard case .asking = phase else { return false }
        return true
    }

    /// Answers the question; without one it does nothing.
    mutating func decide(_ decision: JournalTail.Decision) {
        if isAsking { phase = .decided(decision) }
    }

    /// The next thing to say; nil when there is nothing to do until something happens.
    mutating func next() -> JournalEvent? {
        do throws(SystemError) {
            while true {
                switch try step() {
                case .emit(let event): return event
                case .proceed: continue
                case .idle: return nil
                }
            }
        } catch {
            return onChange(error.isMissing ? .missing : .unreadable(error))
        }
    }

    private mutating func step() throws(SystemError) -> Step {
        switch phase {
        case .searching: try search()
        case .reading(let journal, let kind, let isSuperseded): try read(journal, then: kind, isSuperseded)
        case .asking: .idle
        case .decided(let decision): try carryOut(decision)
        }
    }

    private mutating func onChange(_ state: LastingState) -> JournalEvent? {
        if lasting == state { return nil }
        lasting = state
        switch state {
        case .caughtUp(let size, let offset): return .caughtUp(size: size, offset: offset)
        case .missing: return .missing
        case .unreadable(let error): return .unreadable(error)
        }
    }

    private mutating func idle(_ state: LastingState) -> Step {
        onChange(state).map { .emit($0) } ?? .idle
    }
}

// MARK: - Reading an open file

extension JournalFollower {
    private mutating func read(
        _ journal: OpenJournal, then kind: JournalRotation.Kind, _ isSuperseded: Bool
    ) throws(SystemError) -> Step {
        switch try journal.read() {
        case .batch(let batch):
            position = batch.position
            phase = .reading(journal, then: kind, isSuperseded: false)
            return .emit(.batch(batch))
        case .changed:
            position = journal.position()
            return try reconsider(journal, then: kind)
        case .end(let size):
            return try ended(journal, size: size, then: kind, isSuperseded)
        }
    }

    /// All lines of the file are read: waits for more, or goes over to the file that follows it.
    private mutating func ended(
        _ journal: OpenJournal, size: UInt64, then kind: JournalRotation.Kind, _ isSuperseded: Bool
    ) throws(SystemError) -> Step {
        let caughtUp = LastingState.caughtUp(size: size, offset: journal.offset)
        let current = try folder.fileAtPath()
        if let current, FileKey(current).isSame(as: journal.key) { return idle(caughtUp) }
        let consumed = journal.position()
        let isGone = try journal.file.identity().linkCount == 0
        // An empty successor is none yet: writers that opened the old file may not have finished.
        guard current.map({ $0.size > 0 }) ?? false || folder.file(after: consumed) != nil else {
            successor = try current.map { (current) throws(SystemError) in
                if let successor, FileKey(try successor.identity()).isSame(as: FileKey(current)) { return successor }
                return try ReadableFile(path: path)
            }
            // A renamed file is still being followed; one without a name will never grow again.
            return idle(isGone && current == nil ? .missing : caughtUp)
        }
        guard isSuperseded else {
            // What was written before the new file appeared must be read before the new file.
            phase = .reading(journal, then: kind, isSuperseded: true)
            return .proceed
        }
        position = consumed
        guard isGone else {
            return try begin(folder.file(after: consumed) ?? path, kind, from: journal.file.path)
        }
        // Deleted: the position alone must say what the new file is.
        phase = .searching
        return .proceed
    }

    /// What was read of the open file is no longer there as it was.
    private mutating func reconsider(
        _ journal: OpenJournal, then kind: JournalRotation.Kind
    ) throws(SystemError) -> Step {
        let consumed = journal.position()
        let isAtPath = try folder.fileAtPath().map { FileKey($0).isSame(as: journal.key) } ?? false
        let size = try journal.file.identity().size
        if !isAtPath, try ConsumedMatch(of: journal.file, size: size, with: consumed) == .continues {
            // Only a line without its end was taken back.
            return try resume(journal.file, at: consumed, then: kind)
        }
        phase = .searching
        return .proceed
    }
}

// MARK: - Finding the file

extension JournalFollower {
    private mutating func search() throws(SystemError) -> Step {
        let file = try folder.fileToRead()
        guard let position else {
            guard let file else { return idle(.missing) }
            phase = .reading(try open(file, at: 0, generation: 0, after: nil), then: .renamed, isSuperseded: false)
            return .proceed
        }
        var situation = JournalSituation(atPath: .nothing)
        if let file {
            let identity = try file.identity()
            let match = try ConsumedMatch(of: file, size: identity.size, with: position)
            let isSame = FileKey(identity).isSame(as: position.file)
            let isShorter = identity.size < position.offset
            situation.atPath = isSame ? .same(match, isShorter: isShorter) : .other(match)
        }
        if let file, situation.verdict == .resume, case .same = situation.atPath {
            if position.offset == 0, let next = folder.file(after: position) {
                // Nothing of the file is known, so that a copy of it can't be known again: its age must do.
                return try begin(next, .copied, from: path)
            }
            return try resume(file, at: position, then: .renamed)
        }
        let candidates = folder.candidates(of: position)
        situation.isRenamed = candidates.renamed != nil
        situation.isRenamedAnew = candidates.renamedAnew != nil
        situation.isCopied = candidates.copy != nil
        situation.isSucceeded = file == nil && folder.file(after: position) != nil
        return try act(situation.verdict, at: position, atPath: file, candidates)
    }

    private mutating func act(
        _ verdict: JournalSituation.Verdict, at position: JournalPosition, atPath file: ReadableFile?,
        _ candidates: JournalFolder.Candidates
    ) throws(SystemError) -> Step {
        switch verdict {
        case .resume:
            guard let file else { return idle(.missing) }
            return try resume(file, at: position, then: .renamed)
        case .finishRenamed:
            guard let renamed = candidates.renamed else { return idle(.missing) }
            return try resume(renamed, at: position, then: .renamed)
        case .finishCopy:
            guard let copy = candidates.copy else { return idle(.missing) }
            return try resume(copy, at: position, then: .copied)
        case .begin(let kind):
            return try begin(folder.file(after: position) ?? path, kind, from: path)
        case .beginRenamed:
            let next = folder.file(after: position) ?? candidates.renamedAnew?.path
            return try begin(next ?? path, .truncated, from: path)
        case .ask(let reason):
            phase = .asking
            return .emit(.rewritten(reason: reason, at: position))
        case .wait:
            return idle(.missing)
        }
    }

    private mutating func open(_ file: ReadableFile, at offset: UInt64, generation: Int, after previous: FileKey?)
        throws(SystemError)
        -> OpenJournal
    {
        let key = FileKey(try file.identity())
        // A file that was read before and begins anew holds nothing from before the start.
        let isAnew = offset == 0 && opened.contains(key)
        opened.insert(key)
        lasting = nil
        successor = nil
        let backlogEnd = isAnew ? 0 : sizesAtStart[key] ?? 0
        return try OpenJournal(
            file, at: offset, generation: generation, backlogEnd: backlogEnd, previous: previous)
    }

    private mutating func resume(
        _ file: ReadableFile, at position: JournalPosition, then kind: JournalRotation.Kind
    ) throws(SystemError) -> Step {
        let key = FileKey(try file.identity())
        // A copy made while we ran holds the same backlog as the file it was made of.
        if sizesAtStart[key] == nil { sizesAtStart[key] = sizesAtStart[position.file] }
        let journal = try open(file, at: position.offset, generation: position.generation, after: position.previous)
        let found = journal.position()
        guard found.head == position.head, found.tail == position.tail else { return .proceed }
        phase = .reading(journal, then: kind, isSuperseded: false)
        return .proceed
    }

    private mutating func begin(_ path: String, _ kind: JournalRotation.Kind, from old: String) throws(SystemError)
        -> Step
    {
        let generation = position.map { $0.generation + 1 } ?? 0
        let file = try ReadableFile(path: path)
        let key = FileKey(try file.identity())
        // A file that begins anew is not its own predecessor: renamed, it must be found again.
        let previous = position.flatMap { $0.file.isSame(as: key) ? $0.previous : $0.file }
        let journal = try open(file, at: 0, generation: generation, after: previous)
        let start = journal.position()
        position = start
        phase = .reading(journal, then: .renamed, isSuperseded: false)
        return .emit(.rotated(JournalRotation(kind: kind, from: old, to: path, position: start)))
    }

    private mutating func carryOut(_ decision: JournalTail.Decision) throws(SystemError) -> Step {
        switch decision {
        case .readAgain:
            return try begin(path, .readAgain, from: path)
        case .skipToEnd:
            let file = try ReadableFile(path: path)
            let generation = position.map { $0.generation + 1 } ?? 0
            let journal = try open(file, at: file.endOfLastLine(), generation: generation, after: position?.previous)
            let batch = try journal.emptyBatch()
            position = batch.position
            phase = .reading(journal, then: .renamed, isSuperseded: false)
            return .emit(.batch(batch))
        }
    }
}
