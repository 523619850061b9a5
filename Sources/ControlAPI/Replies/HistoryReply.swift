package import SyncModel

/// What this node has seen of a record, newest first.
package struct HistoryReply: Codable, Hashable, Sendable {
    package struct Field: Codable, Hashable, Sendable {
        package var name: String
        /// Null where it was not there, and where that is no longer known.
        @Nullable package var before: JSONValue?
        /// Null where it is not there any more.
        @Nullable package var after: JSONValue?
        /// As in ``Item/who``.
        package var who: String

        package init(name: String, before: JSONValue?, after: JSONValue?, who: String) {
            self.name = name
            self.before = before
            self.after = after
            self.who = who
        }
    }

    package struct Item: Codable, Hashable, Sendable {
        /// The number in the change feed; null for a conflict.
        @Nullable package var seq: Int64?
        package var at: Moment
        /// `create`, `update`, `delete` or `conflict`.
        package var op: String
        /// `this node`, `app` (a program without stamps), or the id of a node.
        package var who: String
        /// `journal`, `remote` or `decision`; null for a conflict.
        @Nullable package var origin: String?
        /// Null where a record went away that never had one.
        @Nullable package var stamp: String?
        /// Of a conflict: the rule that decided it.
        @Nullable package var rule: String?
        /// What changed; of a conflict: what lost, and what won.
        package var fields: [Field]

        package init(
            seq: Int64?, at: Moment, op: String, who: String, origin: String?, stamp: String?, rule: String?,
            fields: [Field]
        ) {
            self.seq = seq
            self.at = at
            self.op = op
            self.who = who
            self.origin = origin
            self.stamp = stamp
            self.rule = rule
            self.fields = fields
        }
    }

    package var collection: String
    /// The UUID, upper case.
    package var id: String
    package var items: [Item]
    /// What to give as `after` for older entries; null at the end.
    @Nullable package var next: String?
    /// Whether the last entry is the first that this node has ever seen of the record.
    package var complete: Bool
    /// Since when changes are kept.
    @Nullable package var keptSince: Moment?

    package init(
        collection: String, id: String, items: [Item], next: String?, complete: Bool, keptSince: Moment?
    ) {
        self.collection = collection
        self.id = id
        self.items = items
        self.next = next
        self.complete = complete
        self.keptSince = keptSince
    }
}
