internal import SyncModel

/// The field that the commands `watched`, `unwatched` and `toggle` are about.
enum WatchedField {
    static let name = "hasWatched"

    /// The field with a value.
    ///
    /// - Throws: a usage failure for a collection whose records do not have it.
    static func set(_ watched: Bool, in collection: CollectionSchema) throws(CommandFailure) -> [String: JSONValue] {
        guard collection.defaults[name] != nil else {
            throw CommandFailure(
                .usage, "records of \(collection.name) are neither watched nor not watched; use 'set' for their fields")
        }
        return [name: .bool(watched)]
    }
}
