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
