internal import OperatingSystem

/// Where a journal is looked for: its path, and where links lead from there.
struct JournalPaths {
    let path: String
    /// The path, and the target of each link on the way to the file.
    private let linkChain: [String]

    init(path: String) {
        self.path = path
        var linkChain = [path]
        while linkChain.count < 9, let last = linkChain.last, let target = Folder.target(ofLink: last) {
            linkChain.append(target)
        }
        self.linkChain = linkChain
    }

    /// All folders in which something may happen to the journal.
    var folders: [String] {
        linkChain.map(Folder.containing).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A file under a path, and which one it was when that was looked at.
    struct Place: Hashable {
        var path: String
        var key: FileKey
    }

    /// A file beside the journal.
    struct Sibling {
        var path: String
        var identity: FileIdentity
        /// Its name says that it was a journal here.
        var hasJournalName: Bool
        /// Its name is the journal's with digits, as rotation makes it: `journal.jsonl.1`, `journal-20261121.jsonl`.
        var hasRotatedName: Bool
        /// The digits that rotation has put into its name.
        fileprivate var digits: String

        var place: Place { Place(path: path, key: FileKey(identity)) }

        /// When it was begun; of a copy that keeps its original's time that.
        fileprivate var firstWritten: UInt64 { min(identity.birth ?? .max, identity.modifiedNanoseconds) }

        /// Whether it is older than another one by these times of both, of a clock that ticks every few milliseconds.
        fileprivate func isOlder(than other: Sibling, by time: (Sibling) -> UInt64) -> Bool {
            time(self) == time(other) ? isBegun(before: other) : time(self) < time(other)
        }

        /// Whether it was begun earlier: by the births of both, and where these are the same by their names.
        func isBegun(before other: Sibling) -> Bool {
            guard let birth = identity.birth, let otherBirth = other.identity.birth else { return false }
            return birth == otherBirth ? isNamed(before: other) : birth < otherBirth
        }

        /// Whether it follows a file whose time was `modified` when it was read, as far as clocks and names tell.
        ///
        /// - Parameter read: that file, where it stands beside the journal.
        func isLater(than modified: UInt64, of read: Sibling?) -> Bool {
            if identity.modifiedNanoseconds > modified { return true }
            guard let read, read.isBegun(before: self) else { return false }
            if identity.modifiedNanoseconds == modified { return true }
            // A copy that keeps its original's time is older than itself.
            return read.isDatedAhead && identity.birth ?? .max <= identity.modifiedNanoseconds
        }

        /// Whether it was made when another file had this time, or later: the kernel's clock may show no difference.
        func isMade(since modified: UInt64) -> Bool {
            guard let birth = identity.birth else { return identity.modifiedNanoseconds > modified }
            return birth >= modified && identity.modifiedNanoseconds >= modified
        }

        /// Whether its content's time is later than its last change, which nobody can set: it was written while the clock was
        /// ahead, and renamed since.
        private var isDatedAhead: Bool { identity.changedNanoseconds < identity.modifiedNanoseconds }

        /// Of numbers the highest is the oldest file (`journal.jsonl.9`), of dates the earliest.
        fileprivate func isNamed(before other: Sibling) -> Bool {
            let fewest = 6
            if digits.count < fewest, other.digits.count < fewest {
                return (Int(digits) ?? 0) > (Int(other.digits) ?? 0)
            }
            return digits < other.digits
        }
    }

    /// The regular files in the journal's folders, without what the journal's path names, as they stood there together.
    ///
    /// Only looked at, not opened: closing any descriptor of a database would end the locks this process holds on it.
    func siblings() -> [Sibling] {
        JournalPaths.settled(look, by: JournalPaths.areSame)
    }

    /// How often a look is taken again because files were renamed meanwhile.
    static let mostLooks = 5

    /// Whether nothing that has to do with the journal was renamed, made or removed between two looks.
    private static func areSame(_ before: [Sibling], _ after: [Sibling]) -> Bool {
        func named(_ siblings: [Sibling]) -> Set<Place> { Set(siblings.filter(\.hasJournalName).map(\.place)) }
        guard named(before) == named(after) else { return false }
        let paths = Dictionary(before.map { ($0.place.key, $0.path) }) { first, _ in first }
        return after.allSatisfy { (paths[$0.place.key] ?? $0.path) == $0.path }
    }

    /// What a look shows, once two in a row show the same: files that are renamed within one are missed by it, or seen twice.
    static func settled<Seen>(_ look: () -> Seen, by isSame: (Seen, Seen) -> Bool) -> Seen {
        var seen = look()
        for _ in 0..<mostLooks {
            let again = look()
            if isSame(seen, again) { break }
            seen = again
        }
        return seen
    }

    /// Finds out whether anybody can know what stands beside the journal's file.
    ///
    /// - Throws: why the folder can't be listed.
    func requireList() throws(SystemError) {
        guard let folder = folders.last else { return }
        do throws(SystemError) {
            _ = try Folder.names(in: folder)
        } catch {
            guard error.isMissing else { throw error }
        }
    }

    private func look() -> [Sibling] {
        var seen: Set<String> = Set(linkChain)
        var siblings: [Sibling] = []
        for link in linkChain {
            let folder = Folder.containing(link)
            let names = (try? Folder.names(in: folder)) ?? []
            for name in names {
                let path = Folder.path(name, in: folder)
                guard seen.insert(path).inserted,
                    let identity = try? FileIdentity.of(path: path, followingLinks: false), identity.kind == .regular
                else { continue }
                let journal = Folder.name(of: link)
                siblings.append(
                    Sibling(
                        path: path, identity: identity,
                        hasJournalName: JournalPaths.isName(name, of: journal),
                        hasRotatedName: JournalPaths.isRotated(name, of: journal),
                        digits: name.filter { $0.isASCII && $0.isNumber }))
            }
        }
        return siblings
    }

    /// The same, and what the path names.
    func files() -> [(path: String, identity: FileIdentity)] {
        let current = (try? FileIdentity.of(path: path)).map { [(path: path, identity: $0)] } ?? []
        return siblings().map { ($0.path, $0.identity) } + current
    }

    /// The oldest first, as far as times and names tell.
    ///
    /// A program that keeps a file open may go on writing to it when others were begun, so that they are in the order in
    /// which they were begun. Where each is copied over the next (`cp journal.jsonl.1 journal.jsonl.2`), that says nothing,
    /// and names and times of the last change agree.
    static func inOrder(_ siblings: [Sibling]) -> [Sibling] {
        let begun = siblings.sorted { $0.isOlder(than: $1, by: \.firstWritten) }
        let changed = siblings.sorted { $0.isOlder(than: $1, by: \.identity.modifiedNanoseconds) }
        let named = siblings.sorted { $0.isNamed(before: $1) }
        return changed.map(\.path) == named.map(\.path) ? changed : begun
    }

    private static func stem(of journal: String) -> Substring {
        guard let dot = journal.lastIndex(of: "."), dot != journal.startIndex else { return journal[...] }
        return journal[..<dot]
    }

    static func isName(_ name: String, of journal: String) -> Bool {
        name.hasPrefix(stem(of: journal)) && !name.contains(".sqlite")
    }

    static func isRotated(_ name: String, of journal: String) -> Bool {
        let stem = stem(of: journal)
        let ending = journal[stem.endIndex...]
        let middle: Substring
        if name.hasPrefix(journal) {
            middle = name.dropFirst(journal.count)
        } else if name.hasPrefix(stem), !ending.isEmpty, name.hasSuffix(ending), name.count > journal.count {
            middle = name.dropFirst(stem.count).dropLast(ending.count)
        } else {
            return false
        }
        return middle.contains { $0.isASCII && $0.isNumber }
            && middle.allSatisfy { ($0.isASCII && $0.isNumber) || "-._".contains($0) }
    }
}
