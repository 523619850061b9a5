package import SyncModel

/// A line, or the place of one that can't be a line.
package enum JournalElement: Hashable, Sendable {
    case line(JournalLine)
    /// A line of more than 1 MiB (`lineTooLong`), by its byte range with the line's end; `head` is its first up to 200
    /// bytes, for people.
    case rejected(Defect, offset: UInt64, length: Int, head: [UInt8])
}
