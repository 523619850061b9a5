internal import OperatingSystem

/// How the content of a file compares with what was consumed up to a position.
enum ConsumedMatch: Hashable, Sendable {
    /// What was consumed is there, unchanged.
    case continues
    /// It begins like what was consumed, and is something else at the consumed end.
    case beginsAlike
    case differs

    /// Compares the edges that the position remembers with the file, of which `size` bytes are looked at.
    ///
    /// A file begins alike when it has the remembered head, or at least the same first line.
    init(of file: ReadableFile, size: UInt64, with position: JournalPosition) throws(SystemError) {
        if position.offset == 0 {
            self = .continues
        } else if try ConsumedMatch.has(position.head, file, at: 0, size) {
            let start = position.offset - UInt64(position.tail.length)
            let isWhole = try ConsumedMatch.has(position.tail, file, at: start, size)
            self = isWhole ? .continues : .beginsAlike
        } else if let line = position.firstLine, try ConsumedMatch.has(line, file, at: 0, size) {
            self = .beginsAlike
        } else {
            self = .differs
        }
    }

    private static func has(
        _ fingerprint: JournalPosition.Fingerprint, _ file: ReadableFile, at offset: UInt64, _ size: UInt64
    ) throws(SystemError) -> Bool {
        guard size >= offset + UInt64(fingerprint.length) else { return false }
        return fingerprint == .init(try file.read(at: offset, count: fingerprint.length))
    }
}
