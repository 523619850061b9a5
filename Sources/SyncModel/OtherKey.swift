/// The keys of a collection would be made of something else than those of its stored records are.
package struct OtherKey: Error, Hashable, Sendable, CustomStringConvertible {
    private let collection: CollectionID
    private let now: KeyTemplate
    private let known: String
    private let records: Int

    /// - Parameters:
    ///   - now: what the keys would be made of.
    ///   - known: the spelling of what they are made of.
    ///   - records: how many are stored.
    package init(_ collection: CollectionID, now: KeyTemplate, known: String, records: Int) {
        self.collection = collection
        self.now = now
        self.known = known
        self.records = records
    }

    /// One line: what, and what to do.
    package var description: String {
        "the keys of \(collection) would be made of \(now.spelling), but \(records) of its records are stored with keys "
            + "made of \(known): put its key back, or give the collection with the other key another name and another base"
    }
}
