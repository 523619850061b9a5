internal import OperatingSystem

/// Follows a journal through all that happens to its file: what to read next, and what to say about it.
///
/// Does all its work in ``next()``, never waits, and knows nothing of watches: call it until it returns nil, again
/// whenever something may have happened.
struct JournalFollower {
    private let path: String
    /// What has been consumed of the newest file; nil before the first.
    private var position: JournalPosition?
    private var phase = Phase.searching
    /// The last thing said about a state that lasts, so that it is not said twice.
    private var lasting: Lasting?
    /// How long the files were when this tail started.
    private var sizesAtStart: [FileKey: UInt64] = [:]
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

    private enum Lasting: Equatable {
        case caughtUp(size: UInt64, offset: UInt64)
        case missing
        case unreadable(SystemError)
    }

    private enum Step {
        case say(JournalEvent)
        case goOn
        case rest
    }

    init(path: String, resumingAt position: JournalPosition?) {
        self.path = path
        self.position = position
        let place = JournalPlace(path: path)
        for sibling in place.siblings() { sizesAtStart[FileKey(sibling.identity)] = sibling.identity.size }
        if let identity = try? FileIdentity.of(path: path) { sizesAtStart[FileKey(identity)] = identity.size }
    }

    /// The folders in which something may happen to the journal.
    var folders: [String] { JournalPlace(path: path).folders }

    /// The file that is being read; a change of its content must wake the caller.
    var file: ReadableFile? {
        guard case .reading(let journal, _, _) = phase else { return nil }
        return journal.file
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
                case .say(let event): return event
                case .goOn: continue
                case .rest: return nil
                }
            }
        } catch {
            return lastingly(error.isMissing ? .missing : .unreadable(error))
        }
    }

    private mutating func step() throws(SystemError) -> Step {
        switch phase {
        case .searching: try search()
        case .reading(let journal, let kind, let isSuperseded): try read(journal, then: kind, isSuperseded)
        case .asking: .rest
        case .decided(let decision): try carryOut(decision)
        }
    }

    private mutating func lastingly(_ state: Lasting) -> JournalEvent? {
        if lasting == state { return nil }
        lasting = state
        switch state {
        case .caughtUp(let size, let offset): return .caughtUp(size: size, offset: offset)
        case .missing: return .missing
        case .unreadable(let error): return .unreadable(error)
        }
    }

    private mutating func rest(_ state: Lasting) -> Step {
        lastingly(state).map { .say($0) } ?? .rest
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
            return .say(.batch(batch))
        case .changed:
            position = journal.position()
            return try reconsider(journal, then: kind)
        case .end(let size):
            let caughtUp = Lasting.caughtUp(size: size, offset: journal.offset)
            guard let there = try fileAtPath() else {
                // A renamed file is still being followed; one without a name will never grow again.
                let isGone = try journal.file.identity().names == 0
                return rest(isGone ? .missing : caughtUp)
            }
            // An empty successor is none yet: writers that opened the old file may not have finished.
            guard !FileKey(there).isSame(as: journal.key), there.size > 0 else { return rest(caughtUp) }
            guard isSuperseded else {
                // What was written before the new file appeared must be read before the new file.
                phase = .reading(journal, then: kind, isSuperseded: true)
                return .goOn
            }
            return try succeed(journal, then: kind)
        }
    }

    /// What the path names now; nil where it names nothing.
    private func fileAtPath() throws(SystemError) -> FileIdentity? {
        do throws(SystemError) {
            let there = try FileIdentity.of(path: path)
            guard there.kind == .regular else { return try ReadableFile(path: path).identity() }
            return there
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Leaves a file that was read to its end for the one that follows it.
    private mutating func succeed(_ journal: OpenJournal, then kind: JournalRotation.Kind) throws(SystemError) -> Step {
        let old = try journal.file.identity()
        let consumed = journal.position()
        position = consumed
        guard old.names > 0 else {
            // Deleted: the position alone must say what the new file is.
            phase = .searching
            return .goOn
        }
        let between = try files(between: old, consumed: consumed)
        return try begin(between ?? path, kind, from: journal.file.path)
    }

    /// The first of the files that were begun after `old`, and renamed before anybody looked.
    private func files(between old: FileIdentity, consumed: JournalPosition) throws(SystemError) -> String? {
        let there = try fileAtPath().map { FileKey($0) }
        var found: [JournalPlace.Sibling] = []
        for sibling in JournalPlace(path: path).siblings() where sibling.hasRotatedName && sibling.identity.size > 0 {
            let isNewer =
                sibling.identity.modifiedNanoseconds > old.modifiedNanoseconds
                && (sibling.identity.birth ?? 1) > (sibling.identity.birth == nil ? 0 : old.birth ?? 0)
            guard isNewer, there != FileKey(sibling.identity), !old.isSameFile(as: sibling.identity) else { continue }
            // A copy that somebody made of the old file is not its successor.
            let file = try ReadableFile(path: sibling.path)
            let isCopy = try JournalAgreement(of: file, size: sibling.identity.size, with: consumed) != .differs
            if !isCopy || consumed.offset == 0 { found.append(sibling) }
        }
        return found.min { age($0.identity) < age($1.identity) }?.path
    }

    private func age(_ identity: FileIdentity) -> UInt64 { identity.birth ?? identity.modifiedNanoseconds }

    /// What was read of the open file is no longer there as it was.
    private mutating func reconsider(
        _ journal: OpenJournal, then kind: JournalRotation.Kind
    ) throws(SystemError) -> Step {
        let consumed = journal.position()
        let there = try fileAtPath()
        if let there, FileKey(there).isSame(as: journal.key) {
            phase = .searching
            return .goOn
        }
        let size = try journal.file.identity().size
        if try JournalAgreement(of: journal.file, size: size, with: consumed) == .continues {
            // Only a line without its end was taken back.
            return try resume(journal.file, at: consumed, then: kind)
        }
        // A rotated file that is emptied or packed has nothing more to say.
        if let there, there.size > 0 { return try succeed(journal, then: kind) }
        return rest(.caughtUp(size: consumed.offset, offset: consumed.offset))
    }
}

// MARK: - Finding the file

extension JournalFollower {
    private mutating func search() throws(SystemError) -> Step {
        let file = try fileToRead()
        guard let position else {
            guard let file else { return rest(.missing) }
            phase = .reading(try open(file, at: 0, generation: 0), then: .renamed, isSuperseded: false)
            return .goOn
        }
        var situation = JournalSituation(atPath: .nothing)
        if let file {
            let identity = try file.identity()
            let agreement = try JournalAgreement(of: file, size: identity.size, with: position)
            let isSame = FileKey(identity).isSame(as: position.file)
            let isShorter = identity.size < position.offset
            situation.atPath = isSame ? .same(agreement, isShorter: isShorter) : .other(agreement)
        }
        if let file, situation.verdict == .resume, case .same = situation.atPath {
            return try resume(file, at: position, then: .renamed)
        }
        let renamed = relatives(of: position) { FileKey($0.identity).isSame(as: position.file) }
        let copy = relatives(of: position) { $0.hasJournalName && !FileKey($0.identity).isSame(as: position.file) }
        situation.isRenamed = renamed != nil
        situation.isCopied = copy != nil && position.offset > 0
        return try act(situation.verdict, at: position, atPath: file, renamed: renamed, copy: copy)
    }

    private mutating func act(
        _ verdict: JournalSituation.Verdict, at position: JournalPosition, atPath file: ReadableFile?,
        renamed: ReadableFile?, copy: ReadableFile?
    ) throws(SystemError) -> Step {
        switch verdict {
        case .resume:
            guard let file else { return rest(.missing) }
            return try resume(file, at: position, then: .renamed)
        case .finishRenamed:
            guard let renamed else { return rest(.missing) }
            return try resume(renamed, at: position, then: .renamed)
        case .finishCopy:
            guard let copy else { return rest(.missing) }
            return try resume(copy, at: position, then: .copied)
        case .begin(let kind):
            return try begin(path, kind, from: path)
        case .ask(let reason):
            phase = .asking
            return .say(.rewritten(reason: reason, at: position))
        case .wait:
            return rest(.missing)
        }
    }

    private func fileToRead() throws(SystemError) -> ReadableFile? {
        do throws(SystemError) {
            return try ReadableFile(path: path)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The newest file beside the journal that `isMeant` and holds what was consumed.
    private func relatives(
        of position: JournalPosition, where isMeant: (JournalPlace.Sibling) -> Bool
    ) -> ReadableFile? {
        JournalPlace(path: path).siblings()
            .filter { $0.identity.size >= position.offset && isMeant($0) }
            .sorted { age($0.identity) > age($1.identity) }
            .lazy
            .compactMap { sibling in try? ReadableFile(path: sibling.path) }
            .first { file in
                guard let size = try? file.identity().size else { return false }
                return (try? JournalAgreement(of: file, size: size, with: position)) == .continues
            }
    }

    private mutating func open(_ file: ReadableFile, at offset: UInt64, generation: Int) throws(SystemError)
        -> OpenJournal
    {
        let key = FileKey(try file.identity())
        // A file that was read before and begins anew holds nothing from before the start.
        let isAnew = offset == 0 && opened.contains(key)
        opened.insert(key)
        lasting = nil
        let backlogEnd = isAnew ? 0 : sizesAtStart[key] ?? 0
        return try OpenJournal(file, at: offset, generation: generation, backlogEnd: backlogEnd)
    }

    private mutating func resume(
        _ file: ReadableFile, at position: JournalPosition, then kind: JournalRotation.Kind
    ) throws(SystemError) -> Step {
        let key = FileKey(try file.identity())
        // A copy made while we ran holds the same backlog as the file it was made of.
        if sizesAtStart[key] == nil { sizesAtStart[key] = sizesAtStart[position.file] }
        let journal = try open(file, at: position.offset, generation: position.generation)
        let found = journal.position()
        guard found.head == position.head, found.tail == position.tail else { return .goOn }
        phase = .reading(journal, then: kind, isSuperseded: false)
        return .goOn
    }

    private mutating func begin(_ path: String, _ kind: JournalRotation.Kind, from old: String) throws(SystemError)
        -> Step
    {
        let generation = position.map { $0.generation + 1 } ?? 0
        let journal = try open(ReadableFile(path: path), at: 0, generation: generation)
        let start = journal.position()
        position = start
        phase = .reading(journal, then: .renamed, isSuperseded: false)
        return .say(.rotated(JournalRotation(kind: kind, from: old, to: path, position: start)))
    }

    private mutating func carryOut(_ decision: JournalTail.Decision) throws(SystemError) -> Step {
        switch decision {
        case .readAgain:
            return try begin(path, .readAgain, from: path)
        case .skipToEnd:
            let file = try ReadableFile(path: path)
            let generation = position.map { $0.generation + 1 } ?? 0
            let journal = try open(file, at: file.endOfLastLine(), generation: generation)
            let batch = try journal.emptyBatch()
            position = batch.position
            phase = .reading(journal, then: .renamed, isSuperseded: false)
            return .say(.batch(batch))
        }
    }
}
