/// A single item that can't be processed, with its reason.
package struct QuarantinedItem: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable { case journal, push, pull }

    /// How many items of one source the quarantine lists; above it the journal waits, and what the remote says is counted.
    package static let mostOfOneSource = 10_000

    package var number: Int64 = 0
    package var source: Source
    package var collection: CollectionID?
    /// The record's id, or the remote's key as it stands where it is none.
    package var record: String?
    /// Whether it is a record's tombstone that can't be taken, not the record.
    package var isTombstone = false
    package var defect: Defect
    /// Milliseconds since 1970.
    package var since: UInt64
    package var attempts = 1
    package var file: String?
    package var offset: Int64?
    package var length: Int64?
    /// When the line of an operation was made, in milliseconds since 1970; nil where that is unknown. The `at` of the line,
    /// where it has one, counts more.
    package var madeAt: UInt64?
    /// The stamp an operation was given when it was first tried.
    package var stamp: Stamp?
    /// The operation as a journal line, for another attempt.
    package var payload: [UInt8]?

    package init(_ source: Source, _ defect: Defect, since: UInt64) {
        self.source = source
        self.defect = defect
        self.since = since
    }
}
