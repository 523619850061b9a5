package import SyncModel

/// Something the daemon refuses to do until a person approves or rejects it.
package struct HoldReply: Codable, Hashable, Sendable {
    package var id: Int64
    /// A stable word: `massDelete`, `emptyRemote`, ….
    package var kind: String
    @Nullable package var collection: String?
    /// The `uid` of the person whose edits wait; nil where it is not about one.
    @Nullable package var person: String?
    /// `push`, `pull` or `journal`.
    @Nullable package var direction: String?
    /// One line for people: what would happen.
    package var reason: String
    package var since: Moment
    /// What each answer does: one line for people that begins with a verb; nil for a kind the daemon does not know.
    @Nullable package var approve: String?
    @Nullable package var reject: String?
    /// How many records wait, and the first of them; nil in the status, which has no more than a line about each hold.
    @Nullable package var count: Int?
    @Nullable package var records: [HeldRecordReply]?

    package init(
        id: Int64, kind: String, collection: String? = nil, direction: Direction? = nil, reason: String, since: Moment,
        approve: String? = nil, reject: String? = nil, count: Int? = nil, records: [HeldRecordReply]? = nil
    ) {
        self.id = id
        self.kind = kind
        self.collection = collection
        self.direction = direction?.rawValue
        self.reason = reason
        self.since = since
        self.approve = approve
        self.reject = reject
        self.count = count
        self.records = records
    }
}
