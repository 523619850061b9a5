package import SyncModel

/// A decided conflict: both versions, and the rule that decided.
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
    package var winner: Side
    package var loser: Side

    package init(
        id: Int64, collection: String, record: String, at: Moment, rule: String, winner: Side, loser: Side
    ) {
        self.id = id
        self.collection = collection
        self.record = record
        self.at = at
        self.rule = rule
        self.winner = winner
        self.loser = loser
    }
}
