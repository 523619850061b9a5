internal import OperatingSystem

/// How the content of a file compares with what was consumed up to a position.
enum JournalAgreement: Hashable, Sendable {
    /// What was consumed is there, unchanged.
    case continues
    /// It begins like what was consumed, and is something else at the consumed end.
    case beginsAlike
    case differs

    /// Compares the edges that the position remembers with the file, of which `size` bytes are looked at.
    ///
    /// A file too short for the remembered head begins alike when it begins with the same first line.
    init(of file: ReadableFile, size: UInt64, with position: JournalPosition) throws(SystemError) {
        guard position.offset > 0 else {
            self = .continues
            return
        }
        if size >= UInt64(position.head.length) {
            let head = try file.read(at: 0, count: position.head.length)
            guard position.head == .init(head) else {
                self = .differs
                return
            }
            guard size >= position.offset else {
                self = .beginsAlike
                return
            }
            self = try JournalAgreement.ends(file, at: position) ? .continues : .beginsAlike
        } else if let line = position.firstLine, size >= UInt64(line.length) {
            let first = try file.read(at: 0, count: line.length)
            self = line == .init(first) ? .beginsAlike : .differs
        } else {
            self = .differs
        }
    }

    private static func ends(_ file: ReadableFile, at position: JournalPosition) throws(SystemError) -> Bool {
        let length = position.tail.length
        return position.tail == .init(try file.read(at: position.offset - UInt64(length), count: length))
    }
}
