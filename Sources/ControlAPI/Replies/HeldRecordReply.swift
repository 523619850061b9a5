/// A record that waits for a decision.
package struct HeldRecordReply: Codable, Hashable, Sendable {
    /// What each answer would do to it: a few words for people.
    package struct Effect: Codable, Hashable, Sendable {
        package var approve: String
        package var reject: String

        package init(approve: String, reject: String) {
            self.approve = approve
            self.reject = reject
        }
    }

    package var collection: String
    package var id: String
    /// What people call the record; empty where nothing does.
    package var title: String
    package var what: Effect

    package init(collection: String, id: String, title: String, what: Effect) {
        self.collection = collection
        self.id = id
        self.title = title
        self.what = what
    }
}
