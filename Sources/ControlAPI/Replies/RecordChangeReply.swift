package import SyncModel

/// What an order does, or would do, to one record.
package struct RecordChangeReply: Codable, Hashable, Sendable {
    package var collection: String
    package var id: String
    /// What people call the record; empty where nothing does.
    package var title: String
    /// A few words for people.
    package var what: String
    /// The fields that change, as they were; all of a record that is deleted.
    package var before: [String: JSONValue]
    /// The fields that change, as they are afterwards; all of a record that comes into being.
    package var after: [String: JSONValue]

    package init(
        collection: String, id: String, title: String, what: String, before: [String: JSONValue],
        after: [String: JSONValue]
    ) {
        self.collection = collection
        self.id = id
        self.title = title
        self.what = what
        self.before = before
        self.after = after
    }
}
