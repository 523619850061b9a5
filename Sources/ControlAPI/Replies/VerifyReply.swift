/// What a comparison of this node with the remote has found.
package struct VerifyReply: Codable, Hashable, Sendable {
    /// One place where the two differ.
    package struct Item: Codable, Hashable, Sendable {
        /// The key in the remote: usually the record's id.
        package var key: String
        /// `missingHere`, `missingThere`, `differs`, `secondKey`, `unreadable` or `strayKey`.
        package var what: String

        package init(key: String, what: String) {
            self.key = key
            self.what = what
        }
    }

    package struct Collection: Codable, Hashable, Sendable {
        package var collection: String
        /// When the comparison ended.
        package var at: Moment
        /// How many entries of the remote were compared.
        package var compared: Int
        package var differences: Int
        /// How many records this node has not pushed yet: the remote has another version of them, or none.
        package var pending: Int
        /// How many of each kind.
        package var found: [String: Int]
        /// Whether the differing records are read again.
        package var repaired: Bool
        /// The first of the differences.
        package var items: [Item]
        /// The holds that keep some of the differing records as they are; left out where none does, or without a repair.
        package var holds: [Int64]?
        /// Whether they are read again only when the pull is resumed; left out where that is not so.
        package var isPaused: Bool?
        /// Whether second keys are removed only when the push is resumed; left out where that is not so.
        package var isPushPaused: Bool?
        /// How many second keys stay, as the remote does not let them be removed, or they can't be read; left out where none
        /// does, or without a repair.
        package var kept: Int?

        package init(
            collection: String, at: Moment, compared: Int, differences: Int, pending: Int = 0, found: [String: Int],
            repaired: Bool,
            items: [Item]
        ) {
            self.collection = collection
            self.at = at
            self.compared = compared
            self.differences = differences
            self.pending = pending
            self.found = found
            self.repaired = repaired
            self.items = items
        }

        /// Whether something was found that can't be read, or is no record.
        package var hasForeign: Bool { ["unreadable", "strayKey"].contains { found[$0, default: 0] > 0 } }
        /// Whether something was found that reading it again does not mend: a person must correct or remove it there.
        package var isStuck: Bool { kept != nil || hasForeign }
    }

    package var done = true
    package var collections: [Collection]

    package init(collections: [Collection]) { self.collections = collections }

    package var differences: Int { collections.reduce(0) { $0 + $1.differences } }

    /// Whether something was found that reading it again does not mend.
    package var isStuck: Bool { collections.contains(where: \.isStuck) }
}
