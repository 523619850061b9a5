internal import OperatingSystem

/// How the content of a file compares with what was consumed up to a position.
enum ConsumedMatch: Hashable, Sendable {
    /// What was consumed is there, unchanged.
    case continues
    /// It begins like what was consumed, and is something else further on.
    case beginsAlike
    case differs

    /// Compares what the position remembers of both ends with the file, of which `size` bytes are looked at.
    ///
    /// A file begins alike when it has the remembered head, or at least the same first line.
    /// What lies between is not read: that is what a ``ConsumedCheck`` is for.
    init(of file: ReadableFile, size: UInt64, with position: JournalPosition) throws(SystemError) {
        guard position.offset > 0 else {
            self = .continues
            return
        }
        if try ConsumedMatch.has(position.head, file, at: 0, size) {
            var hasEnd = true
            for end in [position.tail, position.rest] {
                guard hasEnd, let end else { continue }
                hasEnd = try ConsumedMatch.has(end, file, at: position.offset - UInt64(end.length), size)
            }
            self = hasEnd ? .continues : .beginsAlike
        } else if let line = position.firstLine, try ConsumedMatch.has(line, file, at: 0, size) {
            self = .beginsAlike
        } else {
            self = .differs
        }
    }

    /// Whether what was consumed ends in the file where it did, whatever stands before its last 256 bytes now.
    static func hasEnd(of position: JournalPosition, _ file: ReadableFile) throws(SystemError) -> Bool {
        guard position.offset > 0 else { return false }
        return try has(position.tail, file, at: position.offset - UInt64(position.tail.length))
    }

    /// Whether such content stands at `offset`.
    ///
    /// - Parameter size: so many bytes of the file are looked at.
    static func has(
        _ fingerprint: JournalPosition.Fingerprint, _ file: ReadableFile, at offset: UInt64, _ size: UInt64 = .max
    ) throws(SystemError) -> Bool {
        guard size >= offset + UInt64(fingerprint.length) else { return false }
        return fingerprint == .init(try file.read(at: offset, count: fingerprint.length))
    }
}
