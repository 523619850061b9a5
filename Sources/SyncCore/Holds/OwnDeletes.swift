package import SyncModel

/// The pace of the deletes that a node makes itself, of each collection: by its journal, and by taking changes back.
///
/// The book notes it, so that all who delete share one, over restarts too. A value of its owner only knows it more exactly.
package struct OwnDeletes: Sendable {
    private var known: [CollectionID: (limit: DeleteLimit, noted: String)] = [:]

    package init() {}

    /// The collections of which these are too many to be deleted now; the others are counted, and noted in the book.
    package mutating func braked(
        _ deletes: [CollectionID: [RecordID]], wall: UInt64, monotonic: UInt64, in book: some RecordBook
    ) throws -> Set<CollectionID> {
        try Set(
            deletes.keys.filter { collection in
                try !admit(deletes[collection] ?? [], of: collection, wall: wall, monotonic: monotonic, in: book)
            })
    }

    /// Whether these records may be deleted now; if so they are counted, and noted in the book.
    ///
    /// - Parameters:
    ///   - ids: each once, and live.
    ///   - wall: milliseconds since 1970.
    ///   - monotonic: milliseconds on a clock that only goes forward.
    package mutating func admit(
        _ ids: [RecordID], of collection: CollectionID, wall: UInt64, monotonic: UInt64, in book: some RecordBook
    ) throws -> Bool {
        guard !ids.isEmpty else { return true }
        let name = "deletes.journal.\(collection)"
        let noted = try book.text(name)
        // Somebody else has deleted since where the book says something else.
        let mine = known[collection].flatMap { $0.noted == noted ? $0.limit : nil }
        var limit = mine ?? DeleteLimit(noted: noted, wall: wall, now: monotonic)
        let live = try book.counts(of: collection).records
        guard limit.admits(deletes: ids, records: live, now: monotonic) else { return false }
        let text = limit.noted(wall: wall)
        try book.setText(name, text)
        known[collection] = (limit, text)
        return true
    }
}
