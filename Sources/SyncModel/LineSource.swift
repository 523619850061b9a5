/// Where and when a journal line was written, which waits now.
package struct LineSource: Hashable, Sendable {
    /// The path of the journal.
    package var file: String
    /// Of its first byte.
    package var offset: Int64
    /// In bytes.
    package var length: Int64
    /// Milliseconds since 1970; nil where that is unknown. The `at` of the line, where it has one, counts more.
    package var madeAt: UInt64?

    package init(file: String, offset: Int64, length: Int64, madeAt: UInt64?) {
        self.file = file
        self.offset = offset
        self.length = length
        self.madeAt = madeAt
    }
}
