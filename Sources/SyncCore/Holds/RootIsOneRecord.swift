internal import SyncModel

/// The collection's place in the remote holds what looks like one record: an app has written it over all others.
struct RootIsOneRecord: HoldRule {
    /// - Parameters:
    ///   - keys: the keys of that record.
    ///   - missing: how many records are gone.
    static func raise(
        of collection: CollectionID, keys: [String], missing: Int, since now: UInt64, in book: some RecordBook
    ) throws -> Int64 {
        // Needed for removing them, should a person reject it.
        try book.setValue("rootKeys.\(collection)", Array(keys.joined(separator: "\n").utf8))
        if let existing = try book.waiting(.rootIsOneRecord, collection, .pull) { return existing.number }
        let reason =
            "the place of all \(collection) in the remote holds one record (\(keys.joined(separator: ", "))); "
            + "\(missing) are gone"
        var hold = Hold(.rootIsOneRecord, .pull, reason: reason, since: now)
        hold.collection = collection
        return try book.raise(hold)
    }

    func approval(of hold: Hold) -> String {
        "deletes these records on every node, except those that were edited here since; the stray keys stay"
    }

    func rejection(of hold: Hold) -> String {
        "keeps these records, writes them to the remote again, and removes the stray keys there"
    }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? record.disappearance : record.keeping
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held { try decision.deleteMissing(record.key) }
        return .none
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held { try decision.keep(record.key, isMissing: true) }
        guard let collection = decision.hold.collection else { return .none }
        let keys = try decision.book.value("rootKeys.\(collection)") ?? []
        try decision.book.setStrayKeys(
            String(decoding: keys, as: UTF8.self).split(separator: "\n").map(String.init), of: collection)
        return .none
    }
}
