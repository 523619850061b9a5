internal import LocalStore
internal import SyncModel

/// More of a collection would be deleted at once than ``DeleteLimits`` admits.
struct MassDelete: HoldRule {
    /// The hold for `count` deletes of a collection: the one that waits already, which then waits for these too, else a
    /// new one.
    ///
    /// - Parameters:
    ///   - direction: `journal` for operations, `pull` for disappearances from the remote.
    ///   - live: how many records the collection has.
    static func raise(
        _ direction: Direction, of collection: CollectionID, count: Int, live: Int, since now: UInt64,
        in transaction: Transaction
    ) throws -> Int64 {
        let source = direction == .journal ? "the journal" : "the remote"
        func reason(_ count: Int) -> String { "\(source) would delete \(count) of \(live) \(collection)" }
        let existing = try transaction.holds().first {
            $0.kind == .massDelete && $0.collection == collection && $0.direction == direction
        }
        if let existing {
            let waiting = Set(try transaction.held(by: existing.number).map(\.key)).count + count
            try transaction.setReason(reason(waiting), ofHold: existing.number)
            return existing.number
        }
        var hold = Hold(.massDelete, direction, reason: reason(count), since: now)
        hold.collection = collection
        return try transaction.raise(hold)
    }

    func approval(of hold: Hold) -> String {
        hold.direction == .journal
            ? "deletes these records, then applies the edits that waited behind the deletes"
            : "deletes these records on every node, except those that were edited here since"
    }

    func rejection(of hold: Hold) -> String {
        hold.direction == .journal
            ? "keeps these records, and applies the edits that waited behind the deletes"
            : "keeps these records, and writes them to the remote again"
    }

    func approve(_ decision: HoldDecision) throws -> HoldEffect {
        if decision.hold.direction == .journal {
            try decision.applyOperations(.decided, origin: .decision)
        } else {
            for record in decision.held { try decision.deleteMissing(record.key) }
        }
        return .none
    }

    func reject(_ decision: HoldDecision) throws -> HoldEffect {
        if decision.hold.direction == .journal {
            try decision.applyOperations(.decided, origin: .decision) { $0.kind == .delete }
        } else {
            for record in decision.held { try decision.keep(record.key, isMissing: true) }
        }
        return .none
    }

    let expire: (@Sendable (HoldDecision) throws -> Void)? = nil
}
