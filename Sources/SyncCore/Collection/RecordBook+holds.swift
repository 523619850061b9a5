package import SyncModel

/// Every way in which a hold begins to name a record, and ceases to: whether the record is pending follows at once.
extension RecordBook {
    /// Attaches a record to a hold; it is not pushed meanwhile.
    ///
    /// - Parameters:
    ///   - payload: the operation that waits there, or the body that was shown.
    ///   - source: of the operation.
    ///   - lastEdit: of the record when the operation began to wait; nil where that is now.
    package func attach(
        _ key: RecordKey, to hold: Int64, payload: [UInt8]? = nil, source: LineSource? = nil, lastEdit: Stamp? = nil,
        _ context: BookContext
    ) throws {
        let last = try lastEdit ?? record(key).state.lastEdit
        try insertHeld(key, hold: hold, payload: payload, lastEdit: last, source: source)
        try reconsider(key, context)
    }

    /// Changes what waits of a record in a hold.
    package func replace(_ held: HeldRecord, payload: [UInt8]?) throws {
        guard held.payload != payload else { return }
        var changed = held
        changed.payload = payload
        try replace(changed)
    }

    /// Takes the place of what waits in a hold under the same number; from now on it is the last of it.
    func replace(_ held: HeldRecord) throws {
        try removeHeld(held)
        try insertHeld(
            held.key, hold: held.hold, payload: held.payload, lastEdit: held.lastEdit ?? .zero, source: held.source)
    }

    /// The lines of the journal that wait in holds for a record, in their order.
    func waitingLines(of key: RecordKey) throws -> [HeldRecord] {
        try held(key).filter { try $0.payload != nil && hold($0.hold)?.direction == .journal }
    }

    /// What names a record in holds of these kinds, but for those of the journal.
    func held(_ key: RecordKey, in kinds: Set<HoldKind>) throws -> [HeldRecord] {
        try held(key).filter { entry in
            guard let hold = try hold(entry.hold), hold.direction != .journal else { return false }
            return hold.kind.map(kinds.contains) ?? false
        }
    }

    /// Takes a record out of the holds of these kinds that name it, but for those of the journal; a hold that names none any
    /// more ends.
    ///
    /// - Returns: whether any did.
    @discardableResult
    package func release(_ key: RecordKey, from kinds: Set<HoldKind>, _ context: BookContext) throws -> Bool {
        let entries = try held(key, in: kinds)
        for entry in entries {
            try removeHeld(entry)
            if try !namesAny(hold: entry.hold) { try removeHold(entry.hold) }
        }
        if !entries.isEmpty { try reconsider(key, context) }
        return !entries.isEmpty
    }

    /// Ends a hold.
    ///
    /// - Returns: what it named, in the order it happened.
    package func end(hold number: Int64, _ context: (CollectionID) -> BookContext) throws -> [HeldRecord] {
        let entries = try held(by: number)
        try removeHold(number)
        var done: Set<RecordKey> = []
        for key in entries.map(\.key) where done.insert(key).inserted {
            try reconsider(key, context(key.collection))
        }
        return entries
    }

    /// Raises a hold of a collection where none like it waits already; of one that does it is said anew why.
    ///
    /// - Parameter asksTheSame: whether one that is like it in all else does.
    /// - Returns: its number.
    func raiseOnce(_ hold: Hold, where asksTheSame: (Hold) -> Bool = { _ in true }) throws -> Int64 {
        guard let kind = hold.kind, let collection = hold.collection,
            let existing = try waiting(kind, collection, hold.direction, of: hold.person, where: asksTheSame)
        else { return try raise(hold) }
        if existing.template != hold.template { try setReason(hold.template, ofHold: existing.number) }
        return existing.number
    }

    /// The hold of this kind for a collection, and for the edits of a person where it is about one, that waits already.
    package func waiting(
        _ kind: HoldKind, _ collection: CollectionID, _ direction: Direction, of person: String? = nil,
        where isMeant: (Hold) -> Bool = { _ in true }
    ) throws -> Hold? {
        try holds(of: kind).first {
            $0.collection == collection && $0.direction == direction && $0.person == person && isMeant($0)
        }
    }
}
