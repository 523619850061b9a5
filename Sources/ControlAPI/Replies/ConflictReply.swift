package import SyncModel

/// A decided conflict: what counts and what lost, and the rule that decided.
package struct ConflictReply: Codable, Hashable, Sendable {
    package struct Side: Codable, Hashable, Sendable {
        @Nullable package var stamp: String?
        /// The id of the node that made the version, 16 hexadecimal digits.
        @Nullable package var node: String?
        /// Empty for a delete.
        package var fields: [String: JSONValue]
        package var deleted: Bool

        package init(stamp: String?, node: String?, fields: [String: JSONValue], deleted: Bool = false) {
            self.stamp = stamp
            self.node = node
            self.fields = fields
            self.deleted = deleted
        }
    }

    package var id: Int64
    package var collection: String
    package var record: String
    package var at: Moment
    package var rule: String
    /// The names of the fields that were decided; empty where it is about the record as a whole.
    package var fields: [String]
    package var winner: Side
    package var loser: Side
    /// Whether what lost was written back as a new edit.
    package var restored: Bool

    package init(
        id: Int64, collection: String, record: String, at: Moment, rule: String, fields: [String] = [], winner: Side,
        loser: Side, restored: Bool = false
    ) {
        self.id = id
        self.collection = collection
        self.record = record
        self.at = at
        self.rule = rule
        self.fields = fields
        self.winner = winner
        self.loser = loser
        self.restored = restored
    }
}
