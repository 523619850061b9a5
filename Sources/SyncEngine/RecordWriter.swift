internal import LocalStore
internal import SyncCore
internal import SyncModel

/// Stores records after a step of SyncCore, with all that belongs to the step: feed, ledger, quarantine.
struct RecordWriter {
    let transaction: Transaction
    let keepsTombstones: Bool
    let wall: UInt64

    /// Saves `stored` after a step, in the same transaction as what the step did.
    func save(_ stored: StoredRecord, _ outcome: Outcome, origin: Change.Origin) throws {
        var stored = stored
        if let blocked = stored.state.blocked, blocked != stored.state.local?.stamp {
            stored.state.blocked = nil
            try releaseRefused(stored.state.key)
        }
        try transaction.save(stored, pending: try pending(stored.state), now: wall)
        if let change = outcome.change {
            try transaction.append(change: change, origin: origin, of: stored.state, at: wall)
        }
        for conflict in outcome.conflicts {
            try transaction.appendConflict(
                of: stored.state.key, rule: conflict.rule.rawValue, winner: conflict.winner, loser: conflict.loser,
                at: wall)
        }
    }

    private func releaseRefused(_ key: RecordKey) throws {
        let items = try transaction.quarantined(collection: key.collection, record: key.id.description)
        for item in items where item.source == .push { try transaction.release(item) }
    }

    private func pending(_ state: RecordState) throws -> Pending {
        guard state.pending(keepsTombstones: keepsTombstones) else { return .no }
        if state.blocked == state.local?.stamp { return .blocked }
        if try transaction.anyHeld(), try !transaction.held(state.key).isEmpty { return .blocked }
        return .yes
    }
}
