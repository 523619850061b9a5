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
    /// What was found when they were looked for.
    private var lost: [Finding] = []

    enum Finding {
        /// Lines of one of them; its ``JournalBatch/position`` is that of this file alone.
        case batch(JournalBatch)
        /// One of them is let go, though somebody may write to it.
        case abandoned(file: String, reason: String)
    }

    /// Where they were read to; nil where there are none.
    var positions: [JournalPosition]? { left.isEmpty ? nil : left.map(\.position) }

    var files: [ReadableFile] { left.map(\.journal.file) }

    /// Reads on in a file that was read to its end. One that can't be known again under another name is not: it might be taken
    /// for another one.
    mutating func add(_ journal: OpenJournal) {
        guard journal.key.birth != nil, !journal.isDeleted else { return }
        journal.isAtPath = false
        left.append(Left(journal: journal, position: journal.position().alone))
    }

    /// Lets go of the files that were left too long ago, now that this is the journal's generation.
    mutating func begin(_ generation: Int) {
        for index in left.indices where generation - left[index].position.generation > Self.most + 1 {
            left[index].isOver = true
        }
    }

    func contains(_ key: FileKey) -> Bool { left.contains { $0.journal.key.isSame(as: key) } }

    /// Lets go of a file, because it is the journal again; where it was read to.
    mutating func take(_ key: FileKey) -> JournalPosition? {
        guard let index = left.firstIndex(where: { $0.journal.key.isSame(as: key) }) else { return nil }
        return left.remove(at: index).position
    }

    /// What was written to one of them since the last call; nil where nothing was.
    ///
    /// - Parameter open: of the file that is read now.
    mutating func next(atMost lines: Int, beside open: @autoclosure () -> JournalPosition) -> Finding? {
        if !lost.isEmpty { return lost.removeFirst() }
        for index in left.indices {
            let journal = left[index].journal
            do throws(SystemError) {
                if journal.isDeleted { left[index].isOver = true }
                switch try read(left[index], atMost: lines) {
                case .batch(let batch):
                    if try holdsAnother(index, open()) { return abandon(index, "another journal was appended to it") }
                    left[index].position = batch.position.alone
                    return .batch(batch)
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

    private mutating func abandon(_ index: Int, _ reason: String) -> Finding {
        .abandoned(file: left.remove(at: index).journal.file.presentPath, reason: reason)
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
    init(of position: JournalPosition?, beside path: String, sizesAtStart: [FileKey: UInt64], pace: CheckPace) {
        guard let position, let known = position.left, !known.isEmpty else { return }
        let files = JournalPaths(path: path).files()
        for position in known {
            guard let place = files.first(where: { FileKey($0.identity).isSame(as: position.file) }) else { continue }
            do throws(SystemError) {
                let file = try ReadableFile(path: place.path)
                guard try ConsumedMatch(of: file, size: file.identity().size, with: position) == .continues else {
                    lost.append(.abandoned(file: place.path, reason: LeftJournals.isChanged))
                    continue
                }
                let journal = try OpenJournal(
                    file, at: position.offset, sum: nil, generation: position.generation,
                    backlogEnd: sizesAtStart[FileKey(place.identity)] ?? 0, finished: [], modified: position.modified,
                    pace: pace)
                left.append(Left(journal: journal, position: position))
            } catch {
                lost.append(.abandoned(file: place.path, reason: "\(error)"))
            }
        }
        begin(position.generation)
    }
}
