package import SyncModel

/// One record as this node holds it.
package struct RecordReply: Codable, Hashable, Sendable {
    /// What the remote was last known to hold.
    package struct Base: Codable, Hashable, Sendable {
        @Nullable package var stamp: String?
        @Nullable package var etag: String?
        /// Whether it shows something else since, which waits in a hold or in the quarantine; left out where not.
        package var isOutdated: Bool?

        package init(stamp: String?, etag: String?, isOutdated: Bool? = nil) {
            self.stamp = stamp
            self.etag = etag
            self.isOutdated = isOutdated
        }
    }

    package var collection: String
    /// The UUID, upper case.
    package var id: String
    /// Empty for a deleted record.
    package var fields: [String: JSONValue]
    package var stamp: String
    package var deleted: Bool
    /// Whether the remote does not have this version yet.
    package var pending: Bool
    /// Why it is pending or held, in one line for people.
    @Nullable package var reason: String?
    @Nullable package var base: Base?

    package init(
        collection: String, id: String, fields: [String: JSONValue], stamp: String, deleted: Bool = false,
        pending: Bool = false, reason: String? = nil, base: Base? = nil
    ) {
        self.collection = collection
        self.id = id
        self.fields = fields
        self.stamp = stamp
        self.deleted = deleted
        self.pending = pending
        self.reason = reason
        self.base = base
    }
}
