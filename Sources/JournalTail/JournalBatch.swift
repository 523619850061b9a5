/// Lines that follow each other in one file, to be committed together with ``position``.
package struct JournalBatch: Sendable {
    /// At most 2,000; none where only blank lines were read, or where the position alone has changed.
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
