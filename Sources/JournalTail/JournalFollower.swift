internal import OperatingSystem

/// Follows a journal through all that happens to its file: what to read next, and what to say about it.
///
/// Does all its work in ``next()``, never waits, and knows nothing of watches: call it until it returns nil, again
/// whenever something may have happened.
struct JournalFollower {
    let path: String
    let folder: JournalFolder
    /// What has been consumed of the newest file; nil before the first.
    var position: JournalPosition?
    var phase: Phase
    /// The last thing said about a state that lasts, so that it is not said twice.
    var lasting: LastingState?
    /// What was there when this tail started.
    var backlog: JournalBacklog
    /// The file at the path, while it is empty and its predecessor is still followed.
    var successor: ReadableFile?
    /// The files that this tail has read from.
    var opened: Set<FileKey> = []
    var left = LeftJournals()
    let pace: CheckPace
    /// How many lines the next batch may have: at least one.
    let mostLines: @Sendable () -> Int
    /// A check has added to what the position knows, which is not said yet.
    private var hasLearned = false

    enum Phase {
        /// No file is open: the path and the position decide.
        case searching
        /// A file is open and read to its end, wherever it is now; `kind` says how its successor will have come about.
        case reading(OpenJournal, then: JournalRotation.Kind, isSuperseded: Bool)
        /// What was consumed of an open file has been found to be different.
        case rewritten(OpenJournal)
        /// A person is asked what to do with a rewritten file.
        case asking
    }

    enum LastingState: Equatable {
        case caughtUp(size: UInt64, offset: UInt64)
        case missing
        case unreadable(SystemError)
    }

    enum Step {
        case emit(JournalEvent)
        case proceed
        case idle
    }

    init(
        path: String, resumingAt start: JournalTail.Start, pace: CheckPace,
        mostLines: @escaping @Sendable () -> Int = { .max }
    ) {
        self.path = path
        self.pace = pace
        self.mostLines = mostLines
        folder = JournalFolder(path: path)
        position = start.position
        phase = start.isHeld ? .asking : .searching
        backlog = start.backlog ?? JournalBacklog(beside: path)
        left = LeftJournals(of: position, beside: path, backlog, pace: pace)
    }

    /// The folders in which something may happen to the journal.
    var folders: [String] { JournalPaths(path: path).folders }

    /// The file that is being read, the empty one that is to follow it, and those that were left: a change of any must wake
    /// the caller.
    var files: [ReadableFile] {
        guard case .reading(let journal, _, _) = phase else { return left.files }
        return [journal.file] + (successor.map { [$0] } ?? []) + left.files
    }

    /// True while the old file is read for the last time: its successor waits.
    var isLeaving: Bool {
        guard case .reading(let journal, _, true) = phase else { return false }
        return journal.delayOfCheck(now: .now) == .zero
    }

    /// How long no check of what was consumed is due, nor another attempt at what can't be read, if nothing happens; nil for
    /// ever.
    func delayOfCheck(now: ContinuousClock.Instant) -> Duration? {
        if case .unreadable = lasting { return .seconds(1) }
        guard case .reading(let journal, _, _) = phase else { return nil }
        return journal.delayOfCheck(now: now)
    }

    /// Goes on with such a check, where one is due; what it finds is for ``next()`` to say.
    mutating func check(now: ContinuousClock.Instant) {
        guard case .reading(let journal, _, _) = phase, journal.delayOfCheck(now: now) == .zero else { return }
        switch journal.check(now: now) {
        case .nothing: break
        case .learned: hasLearned = true
        case .different: phase = .rewritten(journal)
        }
    }

    /// The next thing to say; nil when there is nothing to do until something happens.
    mutating func next() -> JournalEvent? {
        if let lost = left.takeLost() { return lost }
        do throws(SystemError) {
            while true {
                switch try step() {
                case .emit(let event):
                    position = position?.beside(left)
                    return event.beside(left)
                case .proceed: continue
                case .idle: return left.takeLost()
                }
            }
        } catch {
            // What was taken from an open file, and not told, is read again.
            if case .reading = phase { phase = .searching }
            return onChange(error.isMissing ? .missing : .unreadable(error))
        }
    }

    /// The same for who does not wait for a check that is due: before a file is left for the next one, all of it is looked at
    /// once more.
    mutating func nextAtOnce() -> JournalEvent? {
        while true {
            if let event = next() { return event }
            guard isLeaving else { return nil }
            check(now: .now)
        }
    }

    private mutating func step() throws(SystemError) -> Step {
        switch phase {
        case .searching:
            if let step = try late(beside: nil) { return step }
            return try search()
        case .reading(let journal, let kind, let isSuperseded):
            if let step = try late(beside: journal) { return step }
            return try read(journal, then: kind, isSuperseded)
        case .rewritten(let journal): return try found(journal)
        case .asking: return .idle
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

    mutating func idle(_ state: LastingState) -> Step {
        onChange(state).map { .emit($0) } ?? .idle
    }
}

// MARK: - Reading an open file

extension JournalFollower {
    private mutating func read(
        _ journal: OpenJournal, then kind: JournalRotation.Kind, _ isSuperseded: Bool
    ) throws(SystemError) -> Step {
        if hasLearned {
            hasLearned = false
            lasting = nil
            let batch = try journal.emptyBatch()
            position = batch.position
            return .emit(.batch(batch))
        }
        let unread = journal.offset == 0 ? journal.position() : nil
        journal.isAtPath = try folder.isAtPath(journal.key)
        let reading = try journal.read(atMost: mostLines())
        if let unread, let copy = try copy(ofUnread: unread, holdsLines: journal.offset > 0) {
            (position, phase) = (unread, .searching)
            return try begin(copy, .copied)
        }
        switch reading {
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
        let next = try next(after: consumed)
        guard current.map({ $0.size > 0 }) ?? false || next != nil else {
            if isGone, position?.isRead != true { return try noteRead(journal) }
            try leaveSuccessor(for: nil, after: consumed)
            if current != nil, successor == nil { successor = try ReadableFile(path: path) }
            // A renamed file is still being followed; one without a name will never grow again.
            return idle(isGone && current == nil ? .missing : caughtUp)
        }
        guard isSuperseded else {
            // What was written before the new file appeared must be read before the new file.
            phase = .reading(journal, then: kind, isSuperseded: true)
            return .proceed
        }
        // What a person changed in it would never be noticed afterwards.
        guard journal.isCheckedToTheEnd() else { return .idle }
        position = consumed
        guard isGone else {
            if next == nil, kind == .renamed, let file = try fileThatContinues(consumed) {
                return try resume(file, at: consumed, then: kind)
            }
            // To a copy nobody writes.
            let left = kind == .renamed ? journal : nil
            return try begin(next, kind, from: journal.file.path, leaving: left)
        }
        // Deleted: the position alone must say what the new file is.
        position?.isRead = true
        phase = .searching
        return .proceed
    }

    /// Tells that nothing of a deleted file is missing.
    private mutating func noteRead(_ journal: OpenJournal) throws(SystemError) -> Step {
        var batch = try journal.emptyBatch()
        batch.position.isRead = true
        position = batch.position
        return .emit(.batch(batch))
    }

    /// The file at the path, where it holds all that was read, in the place of the one that was: a layer of a file system has
    /// copied it for a program that writes to it, or an editor.
    ///
    /// Where that one was rotated it is another journal, which begins with the same lines.
    private func fileThatContinues(_ consumed: JournalPosition) throws(SystemError) -> ReadableFile? {
        guard consumed.offset > 0, let file = try folder.fileToRead(),
            try ConsumedMatch(of: file, size: file.identity().size, with: consumed) == .continues,
            !folder.isRotated(consumed.file)
        else { return nil }
        return file
    }

    /// What was written to a file that was left, where anything was: the position in the open one stays where it is.
    private mutating func late(beside journal: OpenJournal?) throws(SystemError) -> Step? {
        guard let known = position else { return nil }
        // Made where something was found: it takes two sums.
        func present() -> JournalPosition { journal?.position() ?? known }
        guard var batch = left.next(atMost: mostLines(), beside: present()) else {
            return left.takeLost().map { .emit($0) }
        }
        batch.position = present()
        batch.size = try journal?.file.identity().size ?? known.offset
        position = batch.position
        lasting = nil
        return .emit(.batch(batch))
    }

    /// What was read of the open file is no longer there as it was.
    private mutating func reconsider(
        _ journal: OpenJournal, then kind: JournalRotation.Kind
    ) throws(SystemError) -> Step {
        let consumed = journal.position()
        let isAtPath = try folder.isAtPath(journal.key)
        let size = try journal.file.identity().size
        if !isAtPath, try ConsumedMatch(of: journal.file, size: size, with: consumed) == .continues {
            // Only a line without its end was taken back.
            return try resume(journal.file, at: consumed, then: kind)
        }
        phase = .searching
        return .proceed
    }
}
