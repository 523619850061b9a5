internal import SyncCore

/// The journal of one node: the files that programs append to, as lines and offsets.
///
/// A place in it is the number of a file, which rises by one with every new content, and an offset.
struct SimulatedJournal {
    struct Place: Hashable, Comparable, JournalPlace {
        var file: Int
        var offset: Int

        init(file: Int, offset: Int) {
            self.file = file
            self.offset = offset
        }

        init?(stored text: [UInt8]) {
            let words = String(decoding: text, as: UTF8.self).split(separator: ":").compactMap { Int($0) }
            guard words.count == 2 else { return nil }
            self.init(file: words[0], offset: words[1])
        }

        var text: [UInt8] { Array("\(file):\(offset)".utf8) }

        var restarted: Place { Place(file: file, offset: 0) }

        static func < (one: Place, other: Place) -> Bool { (one.file, one.offset) < (other.file, other.offset) }
    }

    struct Line {
        var text: [UInt8]
        var offset: Int
        /// With the line's end.
        var length: Int
    }

    /// The contents, oldest first; one that a rotation moved away can still be read.
    private var files: [Int: [UInt8]] = [0: []]
    private(set) var present = 0
    /// What was read of the present file is different now.
    private var isRewritten = false
    /// Lines that were there can't be read any more.
    private(set) var wasCut = false

    var end: Place { Place(file: present, offset: files[present]?.count ?? 0) }

    /// Where the last complete line of the present file ends.
    var endOfLines: Place {
        let newline = files[present]?.lastIndex(of: UInt8(ascii: "\n"))
        return Place(file: present, offset: newline.map { $0 + 1 } ?? 0)
    }

    /// When something was last changed in it: in true time, and by the machine's clock.
    private(set) var modified = Moment(now: 0, wall: 0)

    struct Moment {
        var now: UInt64
        var wall: UInt64
    }

    mutating func append(_ text: [UInt8], at moment: Moment) {
        files[present, default: []] += text
        modified = moment
    }

    /// The present file is renamed: a reader finishes it first.
    mutating func rotate() {
        present += 1
        files[present] = []
    }

    /// The present file is emptied: what was not read yet is lost.
    mutating func truncate() {
        wasCut = true
        files[present] = nil
        present += 1
        files[present] = []
    }

    /// Whether a reader at this place finds what was read changed: the files before the present one are read to their ends first.
    func isRewritten(_ place: Place) -> Bool { isRewritten && place.file == present }

    /// What was read is different now.
    mutating func rewrite(at moment: Moment) {
        isRewritten = true
        modified = moment
    }

    mutating func rewriteIsDecided() { isRewritten = false }

    /// Whether a line begins at a place, or the file is there no more.
    func isLineStart(_ place: Place) -> Bool {
        guard let content = files[place.file], place.offset > 0 else { return true }
        return place.offset <= content.count && content[place.offset - 1] == UInt8(ascii: "\n")
    }

    /// The complete lines after a place, at most `limit`, and the place after them.
    func lines(after place: Place, limit: Int) -> (lines: [Line], next: Place) {
        var place = place
        while place.file < present, (files[place.file]?.count ?? 0) <= place.offset || files[place.file] == nil {
            place = Place(file: place.file + 1, offset: 0)
        }
        guard let content = files[place.file] else { return ([], place) }
        var lines: [Line] = []
        while lines.count < limit, place.offset < content.count,
            let newline = content[place.offset...].firstIndex(of: UInt8(ascii: "\n"))
        {
            let length = newline + 1 - place.offset
            lines.append(
                Line(text: Array(content[place.offset..<newline]), offset: place.offset, length: length))
            place.offset = newline + 1
        }
        return (lines, place)
    }
}
