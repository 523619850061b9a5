package import OperatingSystem
package import SyncModel

/// One complete line that is not blank.
package struct JournalLine: Hashable, Sendable {
    /// The line without its end, and without a byte order mark at the start of the file.
    package var bytes: ArraySlice<UInt8>
    /// Where it begins in its file.
    package var offset: UInt64
    /// In bytes, with the line's end.
    package var length: Int

    package init(bytes: ArraySlice<UInt8>, offset: UInt64, length: Int) {
        self.bytes = bytes
        self.offset = offset
        self.length = length
    }
}

/// A line, or the place of one that can't be a line.
package enum JournalElement: Hashable, Sendable {
    case line(JournalLine)
    /// A line of more than 1 MiB (`lineTooLong`), by its byte range with the line's end; `head` is its first up to 200
    /// bytes, for people.
    case rejected(Defect, offset: UInt64, length: Int, head: [UInt8])
}

/// Lines that follow each other in one file, to be committed together with ``position``.
package struct JournalBatch: Sendable {
    /// At most 2,000; none where only blank lines were read, or where a decision moved the position.
    package var elements: [JournalElement]
    /// The position after this batch.
    package var position: JournalPosition
    /// The path the file was opened by.
    package var file: String
    /// The size of the file when the batch was made.
    package var size: UInt64
    /// True where all of it was in the file when this tail started.
    package var isBacklog: Bool
    /// When the file last changed, in milliseconds since 1970.
    package var modified: UInt64
}

/// The end of one file or content, and the beginning of the next.
package struct JournalRotation: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// The old file got another name, and was read to its end there.
        case renamed
        /// The old file was copied and then emptied; the copy was read to its end.
        case copied
        /// The old file was emptied, and no copy of it was found.
        case truncated
        /// The old file is gone, and another one has its name.
        case replaced
        /// A person decided that a rewritten file is to be read again from its start.
        case readAgain
    }

    package var kind: Kind
    /// The path of the file that ended.
    package var from: String
    /// The path of the file that begins.
    package var to: String
    /// The start of the new file, to be committed before its lines.
    package var position: JournalPosition
}

/// What a tail has to say, in order.
package enum JournalEvent: Sendable {
    /// The journal, or its nearest existing folder, is watched: nothing appended from now on is missed. Comes once, first.
    case watching
    case batch(JournalBatch)
    /// All complete lines have been handled. Comes again whenever one of the two has changed.
    case caughtUp(size: UInt64, offset: UInt64)
    case rotated(JournalRotation)
    /// What was consumed has been changed in place; nothing is read until ``JournalTail/decide(_:)``.
    case rewritten(reason: String, at: JournalPosition)
    /// There is no journal (yet, or any more); it is waited for.
    case missing
    /// The journal is there and can't be read; it is tried again whenever something changes there.
    case unreadable(SystemError)
}
