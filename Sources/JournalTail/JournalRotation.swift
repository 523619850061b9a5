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
    }

    package var kind: Kind
    /// The path of the file that ended.
    package var from: String
    /// The path of the file that begins.
    package var to: String
    /// The start of the new file, to be committed before its lines.
    package var position: JournalPosition
}
