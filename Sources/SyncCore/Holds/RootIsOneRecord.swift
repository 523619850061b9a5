internal import SyncModel

/// The collection's place in the remote holds what looks like one record: an app has written it over all others.
struct RootIsOneRecord: HoldRule {
    /// - Parameter keys: the keys of that record.
    static func raise(
        of collection: CollectionID, keys: [String], since now: UInt64, in book: some RecordBook
    ) throws -> Int64 {
        let isWaiting = try book.waiting(.rootIsOneRecord, collection, .pull) != nil
        // Needed for removing them, should a person reject it.
        let keys = try Set(isWaiting ? book.lines(keysName(collection)) : []).union(keys).sorted()
        try book.setLines(keysName(collection), keys)
        let named = keys.prefix(8).joined(separator: ", ") + (keys.count > 8 ? ", …" : "")
        let place = "the place of all \(collection) in the remote holds one record (\(named))"
        var hold = Hold(.rootIsOneRecord, .pull, reason: "\(place); \(Hold.countOfRecords) are gone", since: now)
        hold.collection = collection
        return try book.raiseOnce(hold)
    }

    var stopsCollection: Bool { true }

    func approval(of hold: Hold) -> String {
        """
        deletes the records that are gone, where any are, on every node, except those that were edited here since; the stray \
        keys stay
        """
    }

    func rejection(of hold: Hold) -> String {
        """
        keeps these records, writes them to the remote again, and removes the stray keys there; where records stand beside \
        them only those that a record surely has: the others stay, in quarantine
        """
    }

    func effect(approved: Bool, on record: HeldState, of hold: Hold) -> String {
        approved ? record.disappearance : record.keeping
    }

    func approve<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        if let collection = decision.hold.collection { try RootIsOneRecord.accept(collection, in: decision.book) }
        return try decision.deleteAllMissing()
    }

    func reject<Book>(_ decision: HoldDecision<Book>) throws -> HoldEffect {
        for record in decision.held { try decision.keep(record.key, isMissing: true) }
        guard let collection = decision.hold.collection else { return .none }
        try decision.book.setStrayKeys(decision.book.lines(RootIsOneRecord.keysName(collection)), of: collection)
        return .none
    }

    // MARK: What stays there

    /// What stands there may stay from now on.
    static func accept(_ collection: CollectionID, in book: some RecordBook) throws {
        try book.setNoted(approvedName(collection), true)
    }

    /// Whether what stands there may stay: a person has decided so, or nobody can remove it.
    static func isApproved(_ collection: CollectionID, in book: some RecordBook) throws -> Bool {
        try book.isNoted(approvedName(collection))
    }

    /// It stands there no more: the next time is a question again.
    static func forgetApproval(of collection: CollectionID, in book: some RecordBook) throws {
        if try isApproved(collection, in: book) { try book.setNoted(approvedName(collection), false) }
    }

    private static func approvedName(_ collection: CollectionID) -> String { "rootApproved.\(collection)" }
    private static func keysName(_ collection: CollectionID) -> String { "rootKeys.\(collection)" }
}
