internal import JSONText
package import SyncModel

extension RecordState {
    /// Whether a tombstone above what the base held explains why the record is gone from the remote.
    var deletionIsStamped: Bool {
        guard let stamp = tombstone?.stamp else { return false }
        return stamp > (remote?.fieldStamps?.newest ?? remote?.lastStamp ?? .zero)
    }

    /// Whether the record's disappearance from the remote would delete it here, and no tombstone explains it: what
    /// the limit of deletes counts. An edit newer than the base survives.
    package var wouldBeDeletedWithoutTombstone: Bool {
        guard remote != nil, view != nil, !deletionIsStamped else { return false }
        return !isEditedSinceSeen
    }

    /// Whether this node holds an edit above what the record's disappearance from the remote would end.
    var isEditedSinceSeen: Bool {
        guard let live = known.live else { return false }
        guard let end = endOfBase else { return true }
        return live.newest > end
    }

    /// When a field of it was edited last, as far as this node knows; zero where there is no record.
    var lastEdit: Stamp {
        guard view != nil else { return .zero }
        return max(known.live?.newest ?? .zero, observed?.newest ?? .zero)
    }

    /// Whether it was edited after it began to wait in a hold.
    func isEdited(since held: HeldRecord) -> Bool { held.lastEdit.map { lastEdit > $0 } ?? false }

    /// A person has approved that the record is gone from the remote: it is deleted here too, except where it was edited
    /// since the remote last held it. Such an edit survives, and is written to the remote anew; a delete made here since
    /// then keeps its stamp: approving it again must not end what others have edited meanwhile.
    ///
    /// - Parameter now: stamps the delete.
    package mutating func disappearanceApproved(
        at now: Stamp, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        let isDecided = view == nil || isEditedSinceSeen
        let before = self
        removed()
        var outcome = Outcome()
        if isDecided {
            settle(after: before, context.rules, clock: &clock, wall: context.wall)
        } else {
            outcome = edited(.delete, at: now, context.rules, clock: &clock, wall: context.wall)
            outcome.change = nil
            outcome.before = nil
        }
        // What an app had put into a record that survives is gone with it.
        outcome.noteChange(from: before.view, to: view)
        return outcome
    }

    /// A person says that the record was deleted long ago: it ends here with the stamp that it has, and nobody else hears of
    /// that. An edit above that stamp would have been a later one.
    package mutating func endedLongAgo(clock: inout HybridClock, _ context: StepContext) -> Outcome {
        guard remote == nil, let live = known.live else { return Outcome() }
        let before = self
        known.deletion = max(known.deletion ?? live.newest, live.newest)
        newInRun = nil
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        return outcome
    }

    /// Decides that the record stays as a reader sees it: what an app has changed of it, or would have, is stamped anew, and
    /// the record as a whole is above any delete until now. Its other fields keep their stamps: an edit of them that this
    /// node has not seen stays. A delete stays what it is.
    ///
    /// - Parameter shown: what an app has written in its place.
    package mutating func kept(
        over shown: Content? = nil, at now: Stamp, clock: inout HybridClock, _ context: StepContext
    ) {
        guard let view else { return }
        let before = self
        var stamps = known.live?.stamps ?? FieldStamps(now)
        let (values, edited) = (view.fields, known.live?.content.fields ?? [:])
        let changed = values.filter { edited[$0.key] != $0.value }
        stamps.edit(changed.mapValues { _ in now }, from: edited, to: values, context.rules)
        let others = shown?.fields ?? values
        // What a body lacks its app perhaps does not know: that is no change (`docs/protocol.md` section 9).
        let refused = others.filter { $0.value != values[$0.key] }
        stamps.edit(refused.mapValues { _ in now }, from: others, to: values, context.rules)
        stamps.named[FieldStamps.decision] = now
        if context.rules.byRecord { stamps = FieldStamps(now) }
        known.fields = StampedContent(view, stamps)
        observed = nil
        ownStamp = max(ownStamp ?? now, now)
        settle(after: before, edit: now, context.rules, clock: &clock, wall: context.wall)
    }

    /// The fields that were edited after the record began to wait in a hold.
    func fieldsEdited(since held: HeldRecord) -> Set<String> {
        guard let live = known.live, let last = held.lastEdit else { return [] }
        let stamps = live.stamps
        let names = Set(live.content.fields.keys).union(stamps.named.keys)
        return names.filter { (stamps.named[$0] ?? stamps.common) > last }
    }

    /// A person lets apps have what they have written: it counts as from when the record began to wait. What was edited here
    /// since is later, and so is a delete; the ledger has what the app wrote there.
    ///
    /// - Parameter shown: as a collection reads it.
    mutating func took(
        _ shown: Content, since held: HeldRecord, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        // What stands there is what was shown.
        let written = overwritten(with: shown, isComplete: false, context.rules)
        defer { base = .present(written) }
        let theirs = written.lastStamp?.successor ?? .zero
        if view == nil, held.lastEdit != .zero {
            var outcome = Outcome()
            let deletion = Version(nil, known.deletion ?? .zero)
            outcome.conflicts.append(DecidedConflict(.laterStamp, winner: deletion, loser: Version(shown, theirs)))
            return outcome
        }
        let edited = fieldsEdited(since: held)
        let (own, before) = (view?.fields ?? [:], remote?.content.fields ?? [:])
        let named = shown.fields
        let changed = named.filter { $0.value != own[$0.key] && $0.value != before[$0.key] }.keys
        let lost = edited.intersection(changed).sorted()
        let taken = named.filter { !edited.contains($0.key) }
        let kept = own.filter { edited.contains($0.key) }
        let body = ForeignBody(named: taken.merging(kept) { _, kept in kept }, isComplete: false)
        var outcome = read(.foreign(body), etag: nil, clock: &clock, context)
        if let live = known.live, !lost.isEmpty {
            let loser = StampedContent(shown, FieldStamps(theirs))
            outcome.noteConflict(fields: lost, .laterStamp, winner: live, loser: loser, context.rules)
        }
        return outcome
    }

    /// Whether this node has deleted it, and nothing tells that others know: the remote has it.
    func isDeletedUnseen(by node: NodeID) -> Bool {
        guard let deletion = known.deletion, deletion.node == node, remote != nil, view == nil else { return false }
        return tombstone.map { $0.stamp < deletion } ?? true
    }

    /// A delete made here waits for a person: until then what the remote holds counts.
    mutating func deleteSetAside(clock: inout HybridClock, _ context: StepContext) -> Outcome {
        guard let remote else { return Outcome() }
        let before = self
        known = KnownVersion(fields: remote.stamped, deletion: nil)
        observed = remote.stamp == nil ? .whole(clock.now(wall: context.wall)) : nil
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        return outcome
    }

    /// A person gave up the version that the remote refused: what the remote holds counts again, or nothing does. Only where a
    /// write of it may have been carried out it is deleted: it may come yet. A delete whose tombstone stands is taken back by an
    /// edit.
    ///
    /// - Parameter now: stamps that delete, or that edit.
    package mutating func refusedVersionDropped(
        at now: Stamp, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        let before = self
        var outcome = Outcome()
        guard let dropped = version else { return outcome }
        if let remote {
            known = KnownVersion(fields: remote.stamped, deletion: nil)
            if remote.stamp == nil, observed == nil { observed = .whole(now) }
            if case .fields = observed { observed = .whole(now) }
            // All others take it for deleted.
            if dropped.deleted, remote.stamp != nil, deletionIsStamped { kept(at: now, clock: &clock, context) }
        } else if !dropped.deleted, newInRun == nil {
            known.deletion = now
            ownStamp = now
        } else {
            known = KnownVersion(deletion: dropped.deleted ? tombstone?.stamp : known.deletion)
            newInRun = nil
        }
        settle(after: before, edit: now, context.rules, clock: &clock, wall: context.wall)
        let winner = version ?? Version(nil, now)
        if winner.hash != dropped.hash {
            let fields = dropped.content.flatMap { winner.content?.names(differingFrom: $0) } ?? []
            outcome.conflicts.append(DecidedConflict(.dropped, fields: fields, winner: winner, loser: dropped))
        }
        outcome.noteChange(from: before.view, to: view)
        return outcome
    }

    /// A person takes back how a conflict was decided: what lost is a new edit. A record that was deleted since comes back with
    /// what else was known of it.
    ///
    /// - Parameter read: reads all fields of a record, see ``CollectionRules/normalized``.
    /// - Throws: a ``Defect`` where what would come back is no record; nothing has changed then.
    package mutating func restored(
        _ entry: LedgerEntry, at now: Stamp, clock: inout HybridClock, _ context: StepContext,
        by read: ([String: JSONValue]) throws(Defect) -> [String: JSONValue]
    ) throws(Defect) -> Outcome {
        let edit: Edit
        if let lost = entry.loser.content?.fields {
            edit = try restoring(lost, entry.fields, by: read)
        } else {
            edit = .delete
        }
        return edited(edit, at: now, context.rules, clock: &clock, wall: context.wall)
    }

    /// - Parameter names: the fields that were decided; empty where it is about the record as a whole.
    private func restoring(
        _ lost: [String: JSONValue], _ names: [String],
        by read: ([String: JSONValue]) throws(Defect) -> [String: JSONValue]
    ) throws(Defect) -> Edit {
        if let view {
            guard names.isEmpty else { return .update(Dictionary(uniqueKeysWithValues: names.map { ($0, lost[$0]) })) }
            return .create(view.fields.merging(lost) { $1 })
        }
        if names.isEmpty, let whole = try? read(lost) { return .create(whole) }
        var fields = known.fields?.content.fields ?? [:]
        for name in names.isEmpty ? Array(lost.keys) : names { fields[name] = lost[name] }
        return .create(try read(fields))
    }

    /// Whether what lost a conflict is back, or of a record that was there at least some of it: a field's rule may keep what
    /// is there, and nobody wants a deleted record back without what was lost.
    package func isBack(loserOf entry: LedgerEntry, since before: RecordState) -> Bool {
        shows(loserOf: entry) || before.view != nil && view != before.view
    }

    /// Whether what lost a conflict is what a reader sees.
    func shows(loserOf entry: LedgerEntry) -> Bool {
        guard let lost = entry.loser.content?.fields else { return view == nil }
        guard let seen = view?.fields else { return false }
        let names = entry.fields.isEmpty ? Array(lost.keys) : entry.fields
        return names.allSatisfy { seen[$0] == lost[$0] }
    }
}

extension Content {
    /// The fields that one has otherwise than the other, or alone, in order.
    fileprivate func names(differingFrom other: Content) -> [String] {
        let (mine, theirs) = (fields, other.fields)
        return Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.sorted()
    }
}
