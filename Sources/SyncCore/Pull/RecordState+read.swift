internal import JSONText
package import SyncModel

extension RecordState {
    /// What was shown, where that is an older version than the remote had before; nil where a write of this node's own was
    /// perhaps not made yet then.
    func olderVersion(_ reading: Reading) -> AdmittedVersion? {
        guard case .stamped(let version) = reading, !version.isAheadOfEcho, let known = remote?.newestStamp,
            version.stamp < known
        else { return nil }
        return version
    }

    /// Merges the answer to a read, the value that a refused conditional write showed, or an entry that is applied directly.
    ///
    /// - Parameters:
    ///   - found: what the tombstone's key holds, read after an absence; nil where it holds nothing.
    ///   - sent: what this node has sent of the record without knowing the outcome: what an app shows of it is not the
    ///     app's.
    ///   - past: what the record was here with the stamp that the reading carries, where that is older than the base's and
    ///     this node knows it.
    ///   - since: from which time on, in milliseconds since 1970, a delete made here is above what an app wrote, where nothing
    ///     was known of the record; nil where none is.
    package mutating func read(
        _ reading: Reading, etag: String?, tombstone found: AdmittedTombstone? = nil, sent: [StampedContent] = [],
        past: [Content] = [], editsCountSince since: UInt64? = nil, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        switch reading {
        case .absent:
            tombstone = found?.tombstone
            return goneFromRemote(clock: &clock, context)
        case .stamped(let shown):
            var version = shown.spelled
            if let remote, let stamps = remote.fieldStamps, version.lacksStamps(of: remote) {
                version = version.missing(stamps)
            }
            if let body = foreignBody(of: version, past, context.rules) {
                return readForeign(body, etag, sent, clock: &clock, context)
            }
            let altered = alteredFields(of: version, context.rules)
            if !altered.isEmpty {
                return readAltered(version, altered, etag, sent, clock: &clock, context)
            }
            let outcome = readStamped(version, etag, clock: &clock, context)
            if !version.isIdentified { mustBeCompleted(clock: &clock, context) }
            return outcome
        case .foreign(let body): return readForeign(body, etag, sent, editsCountSince: since, clock: &clock, context)
        }
    }

    mutating func readStamped(
        _ version: AdmittedVersion, _ etag: String?, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        let before = self
        var shown = version.stamped
        if context.rules.byRecord { shown.stamps = FieldStamps(version.stamp) }
        clock.receive(version.stamp)
        keepObserved(over: version, context.rules)
        base = .present(
            RemoteSnapshot(stamp: version.stamp, content: version.content, fieldStamps: shown.stamps, etag: etag))
        observed = nil
        let raised = raiseEditsOver(shown, clock: &clock, context)
        known.fields = known.fields.map { .merged($0, shown, context.rules) } ?? shown
        let deletion = takeRememberedDelete(over: shown)
        if known.isLive { timesPutBack = 0 }
        // Where nothing else in it is new, the version is the edit's that was raised.
        let edit = raised.flatMap { before.newestUnseen(in: version, by: $0.node, context.rules) == nil ? $0 : nil }
        settle(after: before, edit: edit, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        outcome.noteShownAgain(before: before, after: self)
        if let deletion {
            outcome.noteDeletion(deletion, before: before, after: self, node: clock.node, context.rules)
        }
        outcome.noteConflicts(before: before, after: self, shown: version, node: clock.node, context)
        // Two restored states may have given one stamp to two lines of unknown time.
        if version.stamp != before.remote?.newestStamp { outcome.noteTies(before: before, shown: shown, context.rules) }
        return outcome
    }

    /// An older version is no edit: what an app had written over the newer one is known from now on, and outlives it as that
    /// does.
    private mutating func keepObserved(over version: AdmittedVersion, _ rules: MergeRules) {
        guard case .fields = observed, let last = remote?.lastStamp, version.stamp < last,
            let kept = outgoing(rules)
        else { return }
        known.fields = kept
    }

    /// An app has spoilt what identifies the record: it is written again, as what apps write without stamps is.
    private mutating func mustBeCompleted(clock: inout HybridClock, _ context: StepContext) {
        guard let remote else { return }
        let before = self
        base = .present(overwritten(with: remote.content, etag: remote.etag, isComplete: false, context.rules))
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
    }

    /// An edit that was made over an observed value goes above the stamp that this very value has got meanwhile.
    ///
    /// - Returns: the last stamp that a field has got; nil where none has.
    private mutating func raiseEditsOver(
        _ shown: StampedContent, clock: inout HybridClock, _ context: StepContext
    ) -> Stamp? {
        defer { editedOver = [:] }
        guard !editedOver.isEmpty else { return nil }
        let values = shown.content.fields
        func isSeen(_ name: String) -> Bool { isEditedOver(name, values) }
        if let deletion = known.deletion, !known.isLive, shown.newest >= deletion {
            // Made anew as a whole, which only who has seen the delete does: an app's body is dated field by field.
            if shown.stamps.common >= deletion, !context.rules.byRecord { return nil }
            let named = shown.stamps.named.filter { $0.value >= deletion }
            var newer = Set(named.keys.map(FieldStamps.field))
            newer.formUnion(
                values.filter { shown.stamps.stamp(of: $0.key, value: $0.value, context.rules) >= deletion }.keys)
            // Who knew less of the record has dated all that the app's body shows, also what was known here as it stands.
            let isOneLook = shown.stamps.common < deletion && Set(named.values).count == 1
            let kept = known.fields?.content.fields ?? [:]
            func isKept(_ name: String) -> Bool { isOneLook && kept[name] != nil && kept[name] == values[name] }
            let rest = newer.filter { !isSeen($0) }
            if rest.isEmpty || (rest.count < newer.count && rest.allSatisfy(isKept)) {
                known.deletion = clock.now(wall: context.wall)
            }
            return nil
        }
        guard var mine = known.live else { return nil }
        let own = mine.content.fields
        var last: Stamp?
        // Who edited it to the same value has nothing to raise: that value stands there.
        for name in editedOver.keys.sorted() where isSeen(name) && own[name] != values[name] {
            let shownStamp = shown.stamps.stamp(of: name, value: values[name], context.rules)
            guard mine.stamps.stamp(of: name, value: own[name], context.rules) <= shownStamp else { continue }
            let now = clock.now(wall: context.wall)
            mine.stamps.edit([name: now], from: values, to: own, context.rules)
            last = now
        }
        known.fields = mine
        return last
    }

    /// The record is gone from the remote. A tombstone above what the base held says when; else it was deleted right after
    /// the base, which all nodes derive alike. What was never stamped ends without a trace.
    private mutating func goneFromRemote(clock: inout HybridClock, _ context: StepContext) -> Outcome {
        let before = self
        let previous = remote
        let unknown = countedUp
        var deletion = context.keepsTombstones ? endOfBase : endOfFields
        // Without tombstones nothing else tells that an app has deleted what it had made over a delete.
        if !context.keepsTombstones, known.isDeleted, let seen = observed?.newest {
            deletion = max(deletion ?? .zero, seen.successor)
        }
        endBase()
        if let stamp = tombstone?.stamp {
            let held = previous?.fieldStamps?.newest ?? previous?.lastStamp ?? .zero
            if stamp > held { deletion = max(stamp, unknown ?? .zero) }
        }
        if let deletion {
            clock.receive(deletion)
            known.deletion = max(known.deletion ?? deletion, deletion)
        }
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        if let deletion {
            outcome.noteDeletion(deletion, before: before, after: self, node: clock.node, context.rules)
        }
        return outcome
    }

    /// Takes over what the remote's tombstone holds, from an event or a read; nil where it holds nothing.
    ///
    /// A tombstone that is not above what the base holds means nothing, and over a base without a stamp only a read of the
    /// record can decide: then it is only remembered.
    package mutating func readTombstone(
        _ found: AdmittedTombstone?, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        guard let admitted = found else {
            tombstone = nil
            return Outcome()
        }
        let (before, found) = (self, admitted.tombstone)
        remember(admitted, clock: &clock)
        if let remote, remote.fieldStamps.map({ found.stamp <= $0.newest }) ?? true { return Outcome() }
        let deletion = max(found.stamp, countedUp ?? .zero)
        known.deletion = max(known.deletion ?? deletion, deletion)
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        outcome.noteDeletion(deletion, before: before, after: self, node: clock.node, context.rules)
        return outcome
    }

    /// A tombstone stands on the remote, whatever it means here.
    mutating func remember(_ found: AdmittedTombstone, clock: inout HybridClock) {
        let before = tombstone
        tombstone = found.tombstone
        if tombstone?.etag == nil, before?.stamp == tombstone?.stamp { tombstone?.etag = before?.etag }
        clock.receive(found.tombstone.stamp)
    }

    /// The remote answered that it holds what was sent.
    package mutating func acknowledged(
        _ sent: StampedContent, at sentStamp: Stamp, etag: String?, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        let before = self
        base = .present(RemoteSnapshot(stamp: sentStamp, content: sent.content, fieldStamps: sent.stamps, etag: etag))
        newInRun = nil
        observed = nil
        timesPutBack = 0
        let raised = raiseEditsOver(sent, clock: &clock, context)
        known.fields = known.fields.map { .merged($0, sent, context.rules) } ?? sent
        let deletion = takeRememberedDelete(over: sent)
        settle(after: before, edit: raised, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        outcome.noteShownAgain(before: before, after: self)
        if let deletion {
            outcome.noteDeletion(deletion, before: before, after: self, node: clock.node, context.rules)
        }
        return outcome
    }

    /// A tombstone that was only remembered, because the base had no stamp, counts where it is above the one that the base
    /// has now.
    private mutating func takeRememberedDelete(over shown: StampedContent) -> Stamp? {
        guard let deletion = tombstone?.stamp, deletion > shown.newest, known.deletion.map({ $0 < deletion }) ?? true
        else { return nil }
        known.deletion = deletion
        return deletion
    }

    /// The remote answered that the record is gone.
    package mutating func removed() {
        endBase()
        newInRun = nil
        forgetOddKey()
    }

    /// What an app has moved is nowhere any more, and no delete: all of it is known.
    mutating func movedAway(clock: inout HybridClock, _ context: StepContext) -> Outcome {
        let before = self
        if let kept = outgoing(context.rules) { known.fields = kept }
        endBase()
        forgetOddKey()
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        return outcome
    }

    /// Nothing stands there any more, so nobody stamps what an app had written there: what comes has seen that it was gone.
    private mutating func endBase() {
        base = .absent
        observed = nil
        editedOver = [:]
    }

    /// Nobody knows whether the first attempt was carried out: from now on only conditional writes.
    package mutating func attempted() { newInRun = nil }
}

extension RecordState {
    /// The last of the lines of unknown time that count up from what the remote was known to hold: they end with it, however
    /// many they are. Nil where there is none, or a later edit.
    fileprivate var countedUp: Stamp? {
        guard let last = remote?.newestStamp, let newest = known.live?.newest, newest.isCountedUp(from: last) else {
            return nil
        }
        return newest
    }

    /// With which stamp the record ends where it is gone from the remote, and no tombstone says when; nil where what stood there
    /// was never stamped.
    var endOfBase: Stamp? {
        guard let last = remote?.newestStamp else { return nil }
        return max(last.successor, countedUp ?? .zero)
    }

    /// The same where no tombstones are kept: a node may have deleted it that knew of no edit above those in it, and a merge
    /// counts as later than all of them.
    fileprivate var endOfFields: Stamp? {
        guard let last = (remote?.fieldStamps ?? remote?.lastFieldStamps)?.newest else { return endOfBase }
        return max(last.successor, countedUp ?? .zero)
    }

    /// Whether a tombstone is what any node with this base makes of the record's absence: nobody has deleted it knowingly.
    func isDerived(_ found: AdmittedTombstone) -> Bool {
        found.tombstone.contentHash == nil && found.tombstone.stamp == remote?.newestStamp?.successor
    }
}

extension Stamp {
    /// Whether it was counted up, from another one, and not given by a clock.
    var isCountedUp: Bool { !counter.isMultiple(of: 2) }

    /// Whether it was counted up from `last`.
    fileprivate func isCountedUp(from last: Stamp) -> Bool {
        self > last && physical == last.physical && node == last.node && isCountedUp
    }
}
