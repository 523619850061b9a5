internal import OperatingSystem

/// The files that were left for those that follow them, as long as somebody may go on writing to them: a program that keeps a
/// file open does not see that it was renamed.
struct LeftJournals {
    /// Through so many rotations after that a program may keep a file open.
    private static let most = 4

    private struct Left {
        let journal: OpenJournal
        /// Of this file alone.
        var position: JournalPosition
        /// It is let go as soon as all of it is read.
        var isOver = false
    }

    /// In the order in which they were left.
    private var left: [Left] = []
    /// Where files were read to that stand nowhere: they may come back with their folder.
    private var away: [JournalPosition] = []
    /// What the last files held that were read before the open one.
    private(set) var contents: [JournalPosition.Fingerprint] = []
    /// What is still to be said of files that are not read.
    private var lost: [JournalEvent] = []
    /// What was passed over, which is said once.
    private var passed: Set<FileKey> = []

    /// So many contents are remembered.
    private static let mostContents = 20

    /// Where they were read to; nil where there are none.
    var positions: [JournalPosition]? {
        let positions = away + left.map(\.position)
        return positions.isEmpty ? nil : positions
    }

    /// Something to say that nobody has asked for.
    mutating func takeLost() -> JournalEvent? { lost.isEmpty ? nil : lost.removeFirst() }

    var files: [ReadableFile] { left.map(\.journal.file) }

    /// Reads on in a file that was read to its end; of one that is read on already nothing changes. One that can't be known
    /// again under another name is not: it might be taken for another one.
    mutating func add(_ journal: OpenJournal) {
        guard journal.key.birth != nil, !journal.isDeleted, !reads(journal.key) else { return }
        journal.isAtPath = false
        left.append(Left(journal: journal, position: journal.position().alone))
    }

    /// Lets go of the files that were left too long ago, now that another one is begun.
    ///
    /// - Parameter ended: where the one before it was read to.
    mutating func begin(_ generation: Int, after ended: JournalPosition?) {
        letGo(before: generation)
        guard let ended, ended.offset > 0, !contents.contains(ended.contents) else { return }
        contents = contents.suffix(Self.mostContents - 1) + [ended.contents]
    }

    private mutating func letGo(before generation: Int) {
        func isOld(_ position: JournalPosition) -> Bool { generation - position.generation > Self.most + 1 }
        away.removeAll(where: isOld)
        for index in left.indices where isOld(left[index].position) { left[index].isOver = true }
    }

    func contains(_ key: FileKey) -> Bool { reads(key) || away.contains { $0.file.isSame(as: key) } }

    /// Whether it is one of those that are read on.
    func reads(_ key: FileKey) -> Bool { left.contains { $0.journal.key.isSame(as: key) } }

    /// Lets go of a file, because it is the journal again; where it was read to. Nil where it was not left, or is not what
    /// it was then.
    mutating func take(_ file: ReadableFile) throws(SystemError) -> JournalPosition? {
        let identity = try file.identity()
        var known: JournalPosition?
        if let index = left.firstIndex(where: { $0.journal.key.isSame(as: FileKey(identity)) }) {
            known = left.remove(at: index).position
        } else if let index = away.firstIndex(where: { $0.file.isSame(as: FileKey(identity)) }) {
            known = away.remove(at: index)
        }
        guard let position = known else { return nil }
        return try ConsumedMatch(of: file, size: identity.size, with: position) == .continues ? position : nil
    }

    /// The file of a position stands nowhere any more.
    ///
    /// - Parameter path: of the journal.
    mutating func miss(_ position: JournalPosition, of path: String) {
        guard position.offset > 0 else { return }
        if position.birth != nil { away.append(position.alone) }
        guard position.isRead != true else { return }
        let reason = "the file that was read up to byte \(position.offset) is not there any more; "
        lost.append(.abandoned(file: path, reason: reason + "what followed there, if anything did, was not read"))
    }

    /// Files are not read, because of what they look like.
    mutating func pass(_ files: [(place: JournalPaths.Place, reason: String)]) {
        for file in files where passed.insert(file.place.key).inserted {
            lost.append(.abandoned(file: file.place.path, reason: file.reason))
        }
    }

    /// What was written to one of them since the last call: its ``JournalBatch/position`` is that of this file alone. Nil where
    /// nothing was, or one had to be let go, which ``takeLost()`` tells.
    ///
    /// - Parameter open: of the file that is read now.
    mutating func next(atMost lines: Int, beside open: @autoclosure () -> JournalPosition) -> JournalBatch? {
        for index in left.indices {
            let journal = left[index].journal
            do throws(SystemError) {
                if journal.isDeleted { left[index].isOver = true }
                switch try read(left[index], atMost: lines) {
                case .batch(let batch):
                    if try holdsAnother(index, open()) { return abandon(index, "another journal was appended to it") }
                    left[index].position = batch.position.alone
                    return batch
                case .end where !left[index].isOver: continue
                case .end:
                    left.remove(at: index)
                    return next(atMost: lines, beside: open())
                case .changed: return abandon(index, LeftJournals.isChanged)
                }
            } catch {
                return abandon(index, "\(error)")
            }
        }
        return nil
    }

    private static let isChanged = "what was already read is different now"

    private mutating func abandon(_ index: Int, _ reason: String) -> JournalBatch? {
        lost.append(.abandoned(file: left.remove(at: index).journal.file.presentPath, reason: reason))
        return nil
    }

    private func read(_ left: Left, atMost lines: Int) throws(SystemError) -> OpenJournal.Reading {
        let reading = try left.journal.read(atMost: lines)
        guard case .end = reading, let rest = try left.journal.rest(ifWhole: !left.isOver) else { return reading }
        return .batch(rest)
    }

    /// Whether what was appended to a file is what another one begins with: somebody keeps old journals in one file.
    private func holdsAnother(_ index: Int, _ open: JournalPosition) throws(SystemError) -> Bool {
        let (journal, start) = (left[index].journal, left[index].position.offset)
        for other in [open] + left.map(\.position) where other.offset > 0 && !other.file.isSame(as: journal.key) {
            if try ConsumedMatch.has(other.head, journal.file, at: start) { return true }
        }
        return false
    }
}

extension LeftJournals {
    /// Finds those of a position beside the journal, or in its place, again; what is gone, nobody writes to any more.
    init(of position: JournalPosition?, beside path: String, _ backlog: JournalBacklog, pace: CheckPace) {
        contents = position?.read ?? []
        guard let position, let known = position.left, !known.isEmpty else { return }
        let files = JournalPaths(path: path).files()
        for position in known {
            guard let place = files.first(where: { FileKey($0.identity).isSame(as: position.file) }) else {
                away.append(position)
                continue
            }
            do throws(SystemError) {
                let file = try ReadableFile(path: place.path)
                guard try ConsumedMatch(of: file, size: file.identity().size, with: position) == .continues else {
                    lost.append(.abandoned(file: place.path, reason: LeftJournals.isChanged))
                    continue
                }
                let journal = try OpenJournal(
                    file, at: position.offset, sum: nil, generation: position.generation,
                    backlog: backlog.parts[FileKey(place.identity)], finished: [], isAtPath: false,
                    modified: position.modified, pace: pace)
                left.append(Left(journal: journal, position: position))
            } catch {
                lost.append(.abandoned(file: place.path, reason: "\(error)"))
            }
        }
        letGo(before: position.generation)
    }
}
