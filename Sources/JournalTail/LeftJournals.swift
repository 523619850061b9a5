internal import OperatingSystem

/// The files that were left for those that follow them, as long as somebody may go on writing to them: a program that keeps a
/// file open does not see that it was renamed.
struct LeftJournals {
    /// Through so many rotations a program may keep a file open.
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

    enum Finding {
        /// Lines of one of them; its ``JournalBatch/position`` is that of this file alone.
        case batch(JournalBatch)
        /// One of them is let go, though somebody may write to it.
        case abandoned(file: String, reason: String)
    }

    /// Where they were read to.
    var positions: [JournalPosition] { left.map(\.position) }

    var files: [ReadableFile] { left.map(\.journal.file) }

    /// Reads on in a file that was read to its end. One that can't be known again under another name is not: it might be taken
    /// for another one.
    mutating func add(_ journal: OpenJournal) {
        for index in left.indices where left[index].journal.isDeleted { left[index].isOver = true }
        guard journal.key.birth != nil, !journal.isDeleted else { return }
        left.append(Left(journal: journal, position: journal.position().alone))
        endOldest()
    }

    private mutating func endOldest() {
        for index in left.indices.dropLast(Self.most) { left[index].isOver = true }
    }

    /// Lets go of a file, because it is the journal again; where it was read to.
    mutating func take(_ key: FileKey) -> JournalPosition? {
        guard let index = left.firstIndex(where: { $0.journal.key.isSame(as: key) }) else { return nil }
        return left.remove(at: index).position
    }

    /// What was written to one of them since the last call; nil where nothing was.
    mutating func next(atMost lines: Int) -> Finding? {
        for index in left.indices {
            let journal = left[index].journal
            do throws(SystemError) {
                switch try read(left[index], atMost: lines) {
                case .batch(let batch):
                    left[index].position = batch.position.alone
                    return .batch(batch)
                case .end where !left[index].isOver: continue
                case .end:
                    left.remove(at: index)
                    return next(atMost: lines)
                case .changed:
                    left.remove(at: index)
                    return .abandoned(file: journal.file.path, reason: "what was already read is different now")
                }
            } catch {
                left.remove(at: index)
                return .abandoned(file: journal.file.path, reason: "\(error)")
            }
        }
        return nil
    }

    private func read(_ left: Left, atMost lines: Int) throws(SystemError) -> OpenJournal.Reading {
        let reading = try left.journal.read(atMost: lines)
        guard case .end = reading, let rest = try left.journal.rest(ifWhole: !left.isOver) else { return reading }
        return .batch(rest)
    }
}

extension LeftJournals {
    /// Finds those of a position beside the journal again; what is gone, or different, nobody writes to any more.
    init(of position: JournalPosition?, beside path: String, sizesAtStart: [FileKey: UInt64], pace: CheckPace) {
        guard let known = position?.left, !known.isEmpty else { return }
        let siblings = JournalPaths(path: path).siblings()
        left = known.compactMap { position in
            guard let sibling = siblings.first(where: { FileKey($0.identity).isSame(as: position.file) }),
                let file = try? ReadableFile(path: sibling.path), let size = try? file.identity().size,
                (try? ConsumedMatch(of: file, size: size, with: position)) == .continues,
                let journal = try? OpenJournal(
                    file, at: position.offset, sum: nil, generation: position.generation,
                    backlogEnd: sizesAtStart[position.file] ?? 0, finished: [], modified: position.modified, pace: pace)
            else { return nil }
            return Left(journal: journal, position: position)
        }
        endOldest()
    }
}
