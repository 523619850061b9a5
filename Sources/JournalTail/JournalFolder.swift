internal import OperatingSystem

/// What stands at a journal's path and beside it now: looks, opens and compares, and changes nothing.
struct JournalFolder {
    let path: String

    /// What the path names; nil where it names nothing.
    func fileAtPath() throws(SystemError) -> FileIdentity? {
        do throws(SystemError) {
            let current = try FileIdentity.of(path: path)
            guard current.kind == .regular else { return try ReadableFile(path: path).identity() }
            return current
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Whether the path names this file.
    func isAtPath(_ file: FileKey) throws(SystemError) -> Bool {
        guard let current = try fileAtPath() else { return false }
        return FileKey(current).isSame(as: file)
    }

    /// What the path names, open; nil where it names nothing.
    func fileToRead() throws(SystemError) -> ReadableFile? {
        do throws(SystemError) {
            return try ReadableFile(path: path)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The files that were begun after a position's, as far as times and names tell.
    struct Unseen {
        /// The first of them that is to be read.
        var next: JournalPaths.Place?
        /// What is passed over, and why.
        var passed: [(place: JournalPaths.Place, reason: String)] = []
        /// When the first of those was made that are left alone, because what they were copied from is there still.
        var copiedSince: UInt64?
    }

    /// The first of the files that were begun after the position's, and renamed or copied before anybody looked.
    ///
    /// What was read before was written before, and so is older. Where the kernel's clock shows no difference, or was ahead,
    /// and the position's file was renamed, the one that was begun later is the later one.
    ///
    /// - Parameters:
    ///   - left: the files that are read beside the position's, and what those before it held.
    ///   - madeSince: whether only files count that did not exist when the position's was last looked at.
    /// - Throws: that they are renamed all the time: nobody can know which of them is the first.
    func unseen(
        after position: JournalPosition, beside left: LeftJournals, madeSince: Bool = false
    ) throws(SystemError) -> Unseen {
        try whileUnmoved { unseen(after: position, beside: left, among: files(after: position, madeSince: madeSince)) }
    }

    /// Nil where one of them was renamed since the look that found them: those after it are not the first.
    func unseen(
        after position: JournalPosition, beside left: LeftJournals, among files: [JournalPaths.Sibling]
    ) -> Unseen? {
        var unseen = Unseen()
        for sibling in files where !left.reads(sibling.place.key) {
            switch compared(sibling, with: position) {
            case .renamed: return nil
            case .gone: continue
            case .unreadable(let error): unseen.passed.append((sibling.place, "\(error)"))
            // A copy that somebody made of the old file is not its successor.
            case .read(_, .continues) where position.offset > 0: continue
            case .read(_, .beginsAlike): unseen.passed.append((sibling.place, "it begins like what was read last"))
            case .read(let file, _) where isCopy(file, sibling, left.contents):
                unseen.passed.append((sibling.place, "it holds what was read before"))
            case .read(let file, _) where isPresent(file, sibling):
                unseen.copiedSince = min(unseen.copiedSince ?? .max, sibling.identity.birth ?? .max)
            case .read:
                unseen.next = sibling.place
                return unseen
            }
        }
        return unseen
    }

    /// Whether a file holds what one held that was read, and nothing more.
    private func isCopy(
        _ file: ReadableFile, _ sibling: JournalPaths.Sibling, _ contents: [JournalPosition.Fingerprint]
    ) -> Bool {
        let size = sibling.identity.size
        guard contents.contains(where: { $0.length == size }), let held = try? JournalFolder.contents(of: file, size)
        else { return false }
        return contents.contains(held)
    }

    /// The first so many bytes of a file, by their length and both of their ends.
    private static func contents(
        of file: ReadableFile, _ size: UInt64
    ) throws(SystemError) -> JournalPosition.Fingerprint {
        let tailLength = min(size, UInt64(ConsumedTrace.tailLimit))
        let head = try file.read(at: 0, count: Int(min(size, UInt64(ConsumedTrace.headLimit))))
        let tail = try file.read(at: size - tailLength, count: Int(tailLength))
        return .init(contentsOf: size, .init(head), .init(tail))
    }

    /// Whether the file at the path, of which nobody has read this, begins with what a file holds that was made after it.
    private func isPresent(_ file: ReadableFile, _ sibling: JournalPaths.Sibling) -> Bool {
        let size = sibling.identity.size
        do {
            guard let present = try fileToRead(),
                try present.identity().birth ?? 0 <= sibling.identity.birth ?? .max
            else { return false }
            return try JournalFolder.contents(of: present, size) == JournalFolder.contents(of: file, size)
        } catch {
            return false
        }
    }

    /// Whether a file has a name now as rotation makes it.
    func isRotated(_ file: FileKey) -> Bool {
        places(of: file).contains(where: \.hasRotatedName)
    }

    /// Under which names a file stands beside the journal.
    private func places(of file: FileKey) -> [JournalPaths.Sibling] {
        JournalPaths(path: path).siblings().filter { $0.place.key.isSame(as: file) }
    }

    private func files(after position: JournalPosition, madeSince: Bool) -> [JournalPaths.Sibling] {
        let current = (try? FileIdentity.of(path: path)).map { FileKey($0) }
        let known = [current, position.file].compactMap { $0 } + (position.finished ?? [])
        let siblings = JournalPaths(path: path).siblings()
        let read = siblings.first { FileKey($0.identity).isSame(as: position.file) }
        let newer = siblings.filter { $0.hasRotatedName && $0.identity.size > 0 }
            .filter { madeSince ? $0.isMade(since: position.modified) : $0.isLater(than: position.modified, of: read) }
            .filter { sibling in !known.contains { $0.isSame(as: FileKey(sibling.identity)) } }
        return JournalPaths.inOrder(newer)
    }

    /// So many files a position remembers to be done with, and all that would count as later than it.
    private static let mostFinished = 100

    /// The files that are not to be read when `file` has been, whatever their times say: what was read before it of those
    /// that are still here, and, where nothing was, what had been rotated by then.
    ///
    /// A file that begins anew is not its own predecessor: renamed, it must be found again. Without a birth an inode may
    /// be another file by now: of these only the last one is remembered.
    func finished(before file: FileKey, after position: JournalPosition?) -> [FileKey] {
        let siblings = JournalPaths(path: path).siblings()
        guard let position else {
            return JournalFolder.rotated(JournalPaths.inOrder(siblings)).suffix(JournalFolder.mostFinished)
        }
        let known = position.finished ?? []
        let finished = known.enumerated().filter { index, key in
            guard !key.isSame(as: file), let sibling = siblings.first(where: { FileKey($0.identity).isSame(as: key) })
            else { return false }
            return known.count - index < JournalFolder.mostFinished
                || sibling.identity.modifiedNanoseconds >= position.modified
        }
        .map(\.element)
        guard !position.file.isSame(as: file) else { return finished }
        return finished.filter { $0.birth != nil } + [position.file]
    }

    private static func rotated(_ siblings: [JournalPaths.Sibling]) -> [FileKey] {
        siblings.filter { $0.hasRotatedName && $0.identity.birth != nil }.map { FileKey($0.identity) }
    }

    /// The position before the first journal, while there is none: what has been rotated by now is no part of it. Age must
    /// do only where a file can't be known again: its date may be ahead of all that comes.
    var positionOfNothing: JournalPosition {
        let siblings = JournalPaths.inOrder(JournalPaths(path: path).siblings())
        let finished = Array(JournalFolder.rotated(siblings).suffix(JournalFolder.mostFinished))
        let last = siblings.last { sibling in
            sibling.hasRotatedName && !finished.contains { $0.isSame(as: FileKey(sibling.identity)) }
        }
        return JournalPosition(
            of: FileKey(device: 0, inode: 0, birth: nil), offset: 0, trace: ConsumedTrace(), generation: 0,
            modified: last?.identity.modifiedNanoseconds ?? 0, finished: finished)
    }

    /// The files beside the journal that may hold what follows a position.
    struct Candidates {
        var renamed: ReadableFile?
        var renamedAnew: ReadableFile?
        var renamedRewritten: ReadableFile?
        /// Emptied before it was renamed: somebody may go on writing to it.
        var renamedEmpty: ReadableFile?
        var copy: ReadableFile?
    }

    /// - Parameter requiresList: whether nothing is right where the folder can't be listed.
    /// - Throws: why nobody can know them: the folder can't be listed, or the position's file not be read.
    func candidates(of position: JournalPosition, requiresList: Bool) throws(SystemError) -> Candidates {
        let paths = JournalPaths(path: path)
        if requiresList { try paths.requireList() }
        return try whileUnmoved { () throws(SystemError) in try candidates(of: position, among: paths.siblings()) }
    }

    /// What is found of files that keep their names while they are compared: `find` gives nil where one did not.
    private func whileUnmoved<Found>(_ find: () throws(SystemError) -> Found?) throws(SystemError) -> Found {
        for _ in 0..<JournalPaths.mostLooks {
            if let found = try find() { return found }
        }
        throw .busy("compare the files beside", path)
    }

    /// Nil where one of them was renamed since the look that found them.
    func candidates(
        of position: JournalPosition, among siblings: [JournalPaths.Sibling]
    ) throws(SystemError) -> Candidates? {
        var candidates = Candidates()
        for sibling in siblings where FileKey(sibling.identity).isSame(as: position.file) {
            switch compared(sibling, with: position) {
            case .renamed, .gone: return nil
            case .unreadable(let error): throw error
            case .read(let file, .continues): candidates.renamed = file
            case .read(let file, let match) where match == .beginsAlike || sibling.identity.size >= position.offset:
                candidates.renamedRewritten = file
            case .read(let file, _) where sibling.identity.size > 0: candidates.renamedAnew = file
            case .read(let file, _): candidates.renamedEmpty = file
            }
        }
        guard position.offset > 0 else { return candidates }
        let newestFirst = siblings.sorted { $0.identity.modifiedNanoseconds > $1.identity.modifiedNanoseconds }
        for sibling in newestFirst where sibling.hasJournalName && sibling.identity.size >= position.offset {
            guard !FileKey(sibling.identity).isSame(as: position.file) else { continue }
            switch compared(sibling, with: position) {
            case .renamed: return nil
            case .read(let file, .continues):
                candidates.copy = file
                return candidates
            case .gone, .read, .unreadable: continue
            }
        }
        return candidates
    }

    /// What becomes of comparing a sibling with a position.
    private enum Comparison {
        case read(ReadableFile, ConsumedMatch)
        /// It has another name by now.
        case renamed
        /// It is not there any more; another file may have its path.
        case gone
        case unreadable(SystemError)
    }

    private func compared(_ sibling: JournalPaths.Sibling, with position: JournalPosition) -> Comparison {
        var moved: Comparison { places(of: sibling.place.key).isEmpty ? .gone : .renamed }
        do throws(SystemError) {
            let file = try ReadableFile(path: sibling.path)
            let identity = try file.identity()
            guard FileKey(identity).isSame(as: sibling.place.key) else { return moved }
            return .read(file, try ConsumedMatch(of: file, size: identity.size, with: position))
        } catch {
            return error.isMissing ? moved : .unreadable(error)
        }
    }
}
