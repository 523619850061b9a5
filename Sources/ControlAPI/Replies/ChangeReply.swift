package import SyncModel

/// One entry of the change feed: a change that took effect on this node.
package struct ChangeReply: Codable, Hashable, Sendable {
    /// Rises by exactly 1 from entry to entry.
    package var seq: Int64
    /// `create`, `update` or `delete`.
    package var op: String
    package var collection: String
    /// The UUID, upper case.
    package var id: String
    /// The whole record after the change; empty for a delete.
    package var fields: [String: JSONValue]
    /// Null where a record went away that never had one.
    @Nullable package var stamp: String?
    /// `journal`, `remote` or `decision`.
    package var origin: String
    package var at: Moment

    package init(
        seq: Int64, op: Change.Kind, collection: String, id: String, fields: [String: JSONValue], stamp: String?,
        origin: Change.Origin, at: Moment
    ) {
        self.seq = seq
        self.op = op.rawValue
        self.collection = collection
        self.id = id
        self.fields = fields
        self.stamp = stamp
        self.origin = origin.rawValue
        self.at = at
    }
}
