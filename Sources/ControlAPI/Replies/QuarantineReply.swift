/// A single item that can't be processed.
package struct QuarantineReply: Codable, Hashable, Sendable {
    package enum Source: String, Codable, Sendable { case journal, push, pull }

    package var id: Int64
    package var source: Source
    @Nullable package var collection: String?
    /// The record's UUID or, where it has none, its key in the remote.
    @Nullable package var record: String?
    /// A stable word; see `Defect.Code`.
    package var code: String
    /// One line for people, with the value that was wrong.
    package var reason: String
    package var since: Moment
    package var attempts: Int
    /// Of a journal line only: the file it stands in.
    @Nullable package var file: String?
    /// Of a journal line only: where it begins, in bytes.
    @Nullable package var offset: UInt64?
    /// Of a journal line only: its length in bytes, line end included.
    @Nullable package var length: Int?

    package init(
        id: Int64, source: Source, collection: String? = nil, record: String? = nil, code: String, reason: String,
        since: Moment, attempts: Int = 1, file: String? = nil, offset: UInt64? = nil, length: Int? = nil
    ) {
        self.id = id
        self.source = source
        self.collection = collection
        self.record = record
        self.code = code
        self.reason = reason
        self.since = since
        self.attempts = attempts
        self.file = file
        self.offset = offset
        self.length = length
    }
}
