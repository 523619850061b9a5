package import SyncModel

/// Why a record is as it is: each field's stamp, and all that concerns the record.
package struct WhyReply: Codable, Hashable, Sendable {
    package struct Field: Codable, Hashable, Sendable {
        package var name: String
        /// Null where the field is only on the remote.
        @Nullable package var value: JSONValue?
        /// Null where nobody chose the value: it is the collection's default, or only on the remote.
        @Nullable package var stamp: String?
        /// `this node`, `app` (a program without stamps), or the id of a node; null like ``stamp``.
        @Nullable package var who: String?
        @Nullable package var at: Moment?
        /// Whether the remote is known to have the same value; null where it is not known to have the record.
        @Nullable package var onRemote: Bool?
        /// What it has instead.
        @Nullable package var remote: JSONValue?

        package init(
            name: String, value: JSONValue?, stamp: String?, who: String?, at: Moment?, onRemote: Bool?,
            remote: JSONValue?
        ) {
            self.name = name
            self.value = value
            self.stamp = stamp
            self.who = who
            self.at = at
            self.onRemote = onRemote
            self.remote = remote
        }
    }

    package var record: RecordReply
    package var fields: [Field]
    /// The holds that name the record.
    package var holds: [HoldReply]
    package var quarantine: [QuarantineReply]
    package var conflicts: [ConflictReply]

    package init(
        record: RecordReply, fields: [Field], holds: [HoldReply] = [], quarantine: [QuarantineReply] = [],
        conflicts: [ConflictReply] = []
    ) {
        self.record = record
        self.fields = fields
        self.holds = holds
        self.quarantine = quarantine
        self.conflicts = conflicts
    }
}
