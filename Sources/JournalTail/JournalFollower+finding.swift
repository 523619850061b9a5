internal import OperatingSystem
internal import SyncModel

/// Finding the file to read, by the position and by what stands in the folder.
extension JournalFollower {
    mutating func search() throws(SystemError) -> Step {
        let file = try folder.fileToRead()
        guard let position else { return try findFirst(file) }
        var situation = JournalSituation(atPath: .nothing)
        if let file {
            let identity = try file.identity()
            let match = try ConsumedMatch(of: file, size: identity.size, with: position)
            let isSame = FileKey(identity).isSame(as: position.file)
            let isShorter = identity.size < position.offset
            situation.atPath = isSame ? .same(match, isShorter: isShorter) : .other(match)
        }
        if situation.verdict == .resume, case .same = situation.atPath {
            return try act(.resume, at: position, atPath: file, JournalFolder.Candidates())
        }
        // What was read in this run was read to its end. A file that is where it was read needs no other.
        var requiresList = opened.isEmpty
        if case .same = situation.atPath { requiresList = false }
        let candidates = try folder.candidates(of: position, requiresList: requiresList)
        situation.isRenamed = candidates.renamed != nil
        situation.isRenamedAnew = candidates.renamedAnew != nil
        situation.isRenamedRewritten = candidates.renamedRewritten != nil
        situation.isCopied = candidates.copy != nil
        if file == nil { situation.isSucceeded = try next(after: position) != nil }
        return try act(situation.verdict, at: position, atPath: file, candidates)
    }

    /// Where reading begins, to be known before anything is read: the file may be rotated unseen.
    private mutating func findFirst(_ file: ReadableFile?) throws(SystemError) -> Step {
        guard let file else {
            let start = folder.positionOfNothing
            position = start
            return .emit(.begun(start))
        }
        let identity = try file.identity()
        let journal = try open(
            file, at: 0, sum: [], generation: 0, finished: folder.finished(before: FileKey(identity), after: nil),
            isAtPath: true, modified: identity.modifiedNanoseconds)
        phase = .reading(journal, then: .renamed, isSuperseded: false)
        position = journal.position()
        return .emit(.begun(journal.position()))
    }

    private mutating func act(
        _ verdict: JournalSituation.Verdict, at position: JournalPosition, atPath file: ReadableFile?,
        _ candidates: JournalFolder.Candidates
    ) throws(SystemError) -> Step {
        switch verdict {
        case .resume:
            guard let file else { return idle(.missing) }
            if position.offset == 0, let next = try next(after: position) {
                // Nothing of the file is known, so that it can't be known again under another name: its age must do.
                return try begin(next, .copied)
            }
            // Of a file without a line nothing is known: this may be one that was left, under its old name.
            if position.offset == 0, left.contains(FileKey(try file.identity())) { return try begin(nil, .replaced) }
            return try resume(file, at: position, then: .renamed)
        case .finishRenamed:
            guard let renamed = candidates.renamed else { return idle(.missing) }
            return try resume(renamed, at: position, then: .renamed)
        case .finishCopy:
            guard let copy = candidates.copy else { return idle(.missing) }
            let step = try resume(copy, at: position, then: .copied)
            // What was there at the start, and was not emptied by then, is in the copy: other lines are new.
            let copied = backlog.parts[FileKey(try copy.identity())]
            if let part = backlog.parts[position.file], !part.wasEmptied(consumed: position.offset, copied) {
                backlog.parts[position.file] = nil
            }
            // The emptied file comes next, unless it is renamed before it has a line.
            successor = candidates.renamedEmpty
            if successor == nil, let file, try file.identity().size == 0 { successor = file }
            return step
        case .begin(let kind): return try begin(next(after: position), kind)
        case .beginRenamed:
            let anew = try candidates.renamedAnew.map { (file) throws(SystemError) in
                JournalPaths.Place(path: file.path, key: FileKey(try file.identity()))
            }
            return try begin(next(after: position) ?? anew, .truncated)
        case .ask(let reason):
            guard let file else { return idle(.missing) }
            return try ask(reason, of: file, at: position)
        case .askAboutRenamed(let reason):
            guard let renamed = candidates.renamedRewritten else { return idle(.missing) }
            return try ask(reason, of: renamed, at: position)
        case .wait:
            return idle(.missing)
        }
    }

    /// Reads on in the file that was to come next, beside the others, where it was renamed before it had a line.
    ///
    /// - Parameter begun: what comes instead; nil where nothing does yet.
    mutating func leaveSuccessor(for begun: FileKey?, after position: JournalPosition) throws(SystemError) {
        guard let successor else { return }
        let key = FileKey(try successor.identity())
        // At the path it is the journal, whatever comes before it: copied and emptied once more, it is not read beside others.
        guard !(begun?.isSame(as: key) ?? false), try !folder.isAtPath(key) else { return }
        self.successor = nil
        left.add(
            try OpenJournal(
                successor, at: 0, sum: [], generation: position.generation, backlog: backlog.parts[key],
                finished: [], isAtPath: false, modified: position.modified, pace: pace))
    }

    private mutating func open(
        _ file: ReadableFile, at offset: UInt64, sum: [UInt8]?, generation: Int, finished: [FileKey],
        isAtPath: Bool, modified: UInt64
    ) throws(SystemError) -> OpenJournal {
        let key = FileKey(try file.identity())
        // A file that was read before and begins anew holds nothing from before the start.
        let isAnew = offset == 0 && opened.contains(key)
        opened.insert(key)
        lasting = nil
        successor = nil
        return try OpenJournal(
            file, at: offset, sum: sum, generation: generation, backlog: isAnew ? nil : backlog.parts[key],
            finished: finished, isAtPath: isAtPath, modified: modified, pace: pace)
    }

    /// The copy that was made of the file at the path before anybody read a line of it: the file was emptied then.
    ///
    /// Nothing of its content is known, so that its age must do. What is read of a file first is believed only when a look
    /// after that shows no such copy.
    ///
    /// - Parameter holdsLines: whether lines were read now, so that the file's time may be that of the position all the same.
    mutating func copy(
        ofUnread position: JournalPosition, holdsLines: Bool
    ) throws(SystemError) -> JournalPaths.Place? {
        guard let current = try folder.fileAtPath(), FileKey(current).isSame(as: position.file),
            holdsLines || current.modifiedNanoseconds != position.modified
        else { return nil }
        return try next(after: position, madeSince: true)
    }

    /// The first of the files that came after the position's unseen; what is passed over for that is said.
    mutating func next(
        after position: JournalPosition, madeSince: Bool = false
    ) throws(SystemError) -> JournalPaths.Place? {
        try unseen(after: position, madeSince: madeSince).next
    }

    private mutating func unseen(
        after position: JournalPosition, madeSince: Bool = false
    ) throws(SystemError) -> JournalFolder.Unseen {
        let unseen = try folder.unseen(after: position, beside: left, madeSince: madeSince)
        left.pass(unseen.passed)
        return unseen
    }

    mutating func resume(
        _ file: ReadableFile, at position: JournalPosition, then kind: JournalRotation.Kind
    ) throws(SystemError) -> Step {
        let key = FileKey(try file.identity())
        // A copy made while we ran holds the same backlog as the file it was made of.
        if backlog.parts[key] == nil { backlog.parts[key] = backlog.parts[position.file] }
        let isAtPath = try folder.isAtPath(key)
        // Of content nobody has read a copy may have been made since the last look, which is known by its time alone.
        let keepsTime = key.isSame(as: position.file) && (!isAtPath || position.offset == 0)
        let journal = try open(
            file, at: position.offset, sum: position.blocks.flatMap { Hexadecimal.bytes(of: $0) },
            generation: position.generation, finished: position.finished ?? [], isAtPath: isAtPath,
            modified: keepsTime ? position.modified : .max)
        let found = journal.position()
        guard found.head == position.head, found.tail == position.tail,
            position.rest == nil || found.rest == position.rest
        else { return .proceed }
        phase = .reading(journal, then: kind, isSuperseded: false)
        return .proceed
    }

    /// - Parameters:
    ///   - next: the file that begins; nil where it is the one at the path.
    ///   - old: the path of the one that ended; nil where that is the journal's.
    ///   - ended: the file that ended, where somebody may go on writing to it.
    mutating func begin(
        _ next: JournalPaths.Place?, _ kind: JournalRotation.Kind, from old: String? = nil,
        leaving ended: OpenJournal? = nil
    ) throws(SystemError) -> Step {
        let generation = position.map { $0.generation + 1 } ?? 0
        let path = next?.path ?? path
        let file = try ReadableFile(path: path)
        // Before the look at what stands beside it: what is copied after that is later.
        let identity = try file.identity()
        let key = FileKey(identity)
        // Renamed since the look at it; or one between was, before this one was opened: then that comes next.
        if let next, !next.key.isSame(as: key) { return .proceed }
        var modified = next == nil ? identity.modifiedNanoseconds : position?.modified ?? .max
        if next == nil, let position {
            let unseen = try unseen(after: position)
            if let between = unseen.next, !between.key.isSame(as: key) { return .proceed }
            // Emptied from now on, it stands in those copies.
            modified = min(modified, unseen.copiedSince ?? .max)
        }
        if kind == .replaced, let position { left.miss(position, of: self.path) }
        let finished = folder.finished(before: key, after: position)
        if let position { try leaveSuccessor(for: key, after: position) }
        if let ended { left.add(ended) }
        left.begin(generation, after: position)
        // It is the journal again: what was read of it is not read once more.
        let known = try left.take(file)
        let journal = try open(
            file, at: known?.offset ?? 0, sum: known == nil ? [] : nil, generation: generation, finished: finished,
            isAtPath: next == nil, modified: modified)
        let start = journal.position()
        position = start
        phase = .reading(journal, then: .renamed, isSuperseded: false)
        return .emit(.rotated(JournalRotation(kind: kind, from: old ?? self.path, to: path, position: start)))
    }

    /// A check has found that what was consumed of an open file is different now.
    mutating func found(_ journal: OpenJournal) throws(SystemError) -> Step {
        let consumed = journal.position()
        let size = try journal.file.identity().size
        guard size >= consumed.offset, try ConsumedMatch(of: journal.file, size: size, with: consumed) == .continues
        else {
            // It shows at the ends as well: then it may have been rotated.
            position = consumed
            phase = .searching
            return .proceed
        }
        return try ask("what was already read is different now", of: journal.file, at: consumed)
    }

    /// Asks a person about a file, and says where to go on in it, whatever the answer: where reading has stopped, where that
    /// place can be told, for nothing behind it was read; else behind what stands in it at this moment.
    private mutating func ask(
        _ reason: String, of file: ReadableFile, at position: JournalPosition
    ) throws(SystemError) -> Step {
        let key = FileKey(try file.identity())
        let isAtPath = try folder.isAtPath(key)
        let end = try ConsumedMatch.hasEnd(of: position, file) ? position.offset : file.endOfLastLine()
        let present = try OpenJournal(
            file, at: end, sum: nil, generation: position.generation + 1, backlog: nil,
            finished: folder.finished(before: key, after: position), isAtPath: isAtPath,
            modified: isAtPath ? .max : position.modified, pace: pace)
        phase = .asking
        return .emit(.rewritten(reason: reason, present: present.position()))
    }
}
