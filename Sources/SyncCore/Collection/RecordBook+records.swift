internal import JSONText
package import SyncModel

/// How the rules store what they decided.
package struct BookContext: Sendable {
    package let merge: MergeRules
    private let key: KeyTemplate
    package let keepsTombstones: Bool
    /// This machine's clock, milliseconds since 1970.
    package var wall: UInt64 { time.wall }
    private let time: StampPolicy

    /// - Parameter key: what the keys of the collection's records are made of.
    package init(merge: MergeRules, key: KeyTemplate = .uuid, keepsTombstones: Bool, time: StampPolicy) {
        self.merge = merge
        self.key = key
        self.keepsTombstones = keepsTombstones
        self.time = time
    }

    package var step: StepContext {
        StepContext(
            rules: merge, wall: time.stampTime, namesReplaced: keepsTombstones && !key.isKeyed,
            keepsTombstones: keepsTombstones)
    }

    /// The key of a record where it is made of fields, and the record was forgotten: what comes back stands where it stood.
    fileprivate func keyInRemote(_ state: RecordState) -> String? {
        guard state.remoteKey == nil, key.isKeyed, let fields = state.view?.fields else { return state.remoteKey }
        return try? key.key(of: fields)
    }
}

extension RecordBook {
    /// Stores a record after a step, with all that belongs to the step: feed, ledger, what is pending.
    ///
    /// - Returns: the record's row, and whether it must be pushed.
    @discardableResult
    package func store(
        _ stored: StoredRecord, _ outcome: Outcome, origin: Change.Origin, _ context: BookContext
    ) throws -> (row: Int64, pending: Pending) {
        let key = stored.state.key
        var stored = stored
        stored.state.remoteKey = context.keyInRemote(stored.state)
        try releaseRefused(stored.state)
        let pending = try pending(stored.state, context)
        if let change = outcome.change {
            let version = stored.state.version ?? Version(nil, stored.state.stamp ?? stored.state.ownStamp ?? .zero)
            stored.lastChange = try append(
                change: change, origin: origin, of: key, version, at: context.wall,
                past: ChangePast(before: outcome.before, after: stored.state, context.merge),
                previous: stored.lastChange)
        }
        if let stamp = outcome.shownAgain, let last = stored.lastChange {
            try note(laterStamp: stamp, ofChange: last)
        }
        let row = try save(stored, pending: pending, now: context.wall)
        for conflict in outcome.conflicts {
            try append(
                conflict: LedgerEntry(
                    number: 0, key: key, at: context.wall, rule: conflict.rule.rawValue, fields: conflict.fields,
                    winner: conflict.winner, loser: conflict.loser))
        }
        return (row, pending)
    }

    /// Whether a record must be pushed: the one rule, worked out anew whenever the record, its base, a hold or its
    /// quarantine changes (`docs/protocol.md` section 5).
    private func pending(_ state: RecordState, _ context: BookContext) throws -> Pending {
        guard state.differs(keepsTombstones: context.keepsTombstones) else { return .no }
        if try isHeld(state.key) { return .blocked }
        if try anyQuarantined(), try !blocking(state).isEmpty { return .blocked }
        return .yes
    }

    /// The items of the quarantine because of which a record is not pushed: what can't be read stands under its key, or the
    /// remote refused it.
    package func blocking(_ state: RecordState) throws -> [QuarantinedItem] {
        try names(of: state).flatMap { try quarantinedAtRemote(collection: state.key.collection, record: $0) }
    }

    /// What is in quarantine at a record: under its own key, and under the one where it stands in the remote.
    package func items(at state: RecordState) throws -> [QuarantinedItem] {
        try names(of: state).flatMap { try quarantined(collection: state.key.collection, record: $0) }
    }

    private func names(of state: RecordState) -> [String] {
        [state.key.id.description] + (state.remoteKey.map { [$0] } ?? [])
    }

    /// A refusal was of one version: with another one it is tried again.
    private func releaseRefused(_ state: RecordState) throws {
        guard try anyQuarantined() else { return }
        for item in try quarantinedAtRemote(collection: state.key.collection, record: state.key.id.description)
        where item.source == .push && item.stamp != state.version?.stamp { try removeQuarantined(item) }
    }

    /// Works out anew whether a record is pending, after a hold or its quarantine has changed.
    @discardableResult
    package func reconsider(_ key: RecordKey, _ context: BookContext) throws -> Pending {
        let stored = try record(key)
        guard stored.row != nil else { return .no }
        return try store(stored, Outcome(), origin: .decision, context).pending
    }
}
