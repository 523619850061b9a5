package import SyncModel

/// One item of the quarantine with all that is known of it: the keys of ``QuarantineReply``, and these.
package struct QuarantineDetailReply: Codable, Hashable, Sendable {
    /// What the remote shows now under the record's key.
    package struct Shown: Codable, Hashable, Sendable {
        /// Nil where nothing that can be read stands there.
        @Nullable package var fields: [String: JSONValue]?
        /// Why there are no fields: one line for people.
        @Nullable package var reason: String?

        package init(fields: [String: JSONValue]?, reason: String? = nil) {
            self.fields = fields
            self.reason = reason
        }
    }

    package var item: QuarantineReply
    /// The journal line as it was read; of a refused version, a line that makes the same again.
    @Nullable package var line: String?
    /// The bytes of ``line``, base64, where they are not UTF-8.
    @Nullable package var bytes: String?
    /// Whether ``line`` is all of it: no more than the beginning of an over-long line is kept.
    package var isWhole: Bool
    /// The stamp that the operation or the version has.
    @Nullable package var stamp: String?
    /// The record as this node has it.
    @Nullable package var here: RecordReply?
    /// Nil where the item is about no record.
    @Nullable package var remote: Shown?

    package init(
        item: QuarantineReply, line: String? = nil, bytes: String? = nil, isWhole: Bool = true, stamp: String? = nil,
        here: RecordReply? = nil, remote: Shown? = nil
    ) {
        self.item = item
        self.line = line
        self.bytes = bytes
        self.isWhole = isWhole
        self.stamp = stamp
        self.here = here
        self.remote = remote
    }

    private enum CodingKeys: String, CodingKey { case line, bytes, isWhole, stamp, here, remote }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            item: try QuarantineReply(from: decoder), line: try container.decodeIfPresent(String.self, forKey: .line),
            bytes: try container.decodeIfPresent(String.self, forKey: .bytes),
            isWhole: try container.decode(Bool.self, forKey: .isWhole),
            stamp: try container.decodeIfPresent(String.self, forKey: .stamp),
            here: try container.decodeIfPresent(RecordReply.self, forKey: .here),
            remote: try container.decodeIfPresent(Shown.self, forKey: .remote))
    }

    package func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(line, forKey: .line)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(isWhole, forKey: .isWhole)
        try container.encode(stamp, forKey: .stamp)
        try container.encode(here, forKey: .here)
        try container.encode(remote, forKey: .remote)
    }
}
