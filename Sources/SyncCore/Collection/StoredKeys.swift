internal import SyncModel

/// What the keys of stored records are made of, as the state remembers it: where that changes, what stands in the remote would
/// be taken for other records, and none of those that are known could be found there.
extension CollectionRules {
    /// Whether the state knows that the keys are made of this.
    ///
    /// - Throws: ``OtherKey`` where it has records whose keys are made of something else.
    package func isKeyNoted(in book: some RecordBook) throws -> Bool {
        guard let known = try book.text(keyName) else { return false }
        guard known != key.spelling else { return true }
        let counts = try book.counts(of: id)
        let stored = max(counts.records, counts.pending)
        guard stored == 0 else { throw OtherKey(id, now: key, known: known, records: stored) }
        return false
    }

    /// Takes note of what the keys are made of.
    ///
    /// - Throws: ``OtherKey``, as ``isKeyNoted(in:)`` does.
    package func noteKey(in book: some RecordBook) throws {
        guard try !isKeyNoted(in: book) else { return }
        try book.setText(keyName, key.spelling)
    }

    private var keyName: String { "key.\(id)" }
}
