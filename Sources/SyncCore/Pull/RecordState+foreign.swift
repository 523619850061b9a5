internal import JSONText
package import SyncModel

extension RecordState {
    /// Compares what an app without stamps wrote with the base, field by field.
    ///
    /// What it shows unchanged, or as known already, or as this node has sent it, is not the app's. What else it shows is
    /// an observation, dated now; what the app does not know and therefore dropped is kept (`docs/protocol.md` section 9).
    mutating func readForeign(
        _ body: ForeignBody, _ etag: String?, _ sent: [StampedContent], editsCountSince since: UInt64? = nil,
        clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        let before = self
        let shown = body.content
        if var previous = remote, previous.stamp == nil, previous.content == shown {
            previous.etag = etag ?? previous.etag
            previous.isComplete = body.isComplete
            base = .present(previous)
            return endedAsShown(clock: &clock, context)
        }
        let endsUnseen = endsUnseen(since, node: clock.node)
        var written = overwritten(with: shown, etag: etag, isComplete: body.isComplete, context.rules)
        written.lastStamp = written.lastStamp ?? tombstone?.stamp
        base = .present(written)
        var (seen, outvoted) = (before, [String]())
        if before.isPutBack(body) {
            observed = nil
        } else if !known.isLive {
            observeWhole(at: clock.now(wall: context.wall), endsUnseen: endsUnseen)
        } else {
            keepDropped(by: body, context.rules, before)
            // Nobody's edit is merged with that.
            seen.known = known
            outvoted = observe(body, before, sent, clock: &clock, context)
        }
        settle(
            after: seen, edit: keptAlone(since: before), isMerge: body.isOfUnknown, context.rules, clock: &clock,
            wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        outcome.noteOverwritten(before: before, after: self, seen: body.seen, node: clock.node, context.rules)
        outcome.noteDeleteOverwritten(before: before, after: self, node: clock.node)
        if let live = known.live, !outvoted.isEmpty {
            let app = StampedContent(shown, FieldStamps(clock.now(wall: context.wall)))
            outcome.noteConflict(fields: outvoted, .fieldRule, winner: live, loser: app, context.rules)
        }
        if endsUnseen, let deletion = known.deletion, let seen = before.known.deletion {
            // It can be brought back.
            outcome.conflicts.append(
                DecidedConflict(.laterStamp, winner: Version(nil, deletion), loser: Version(shown, seen)))
        }
        return outcome
    }

    /// Nothing is known of what an app shows, or this node has deleted it.
    ///
    /// - Parameter endsUnseen: whether the delete counts as later.
    private mutating func observeWhole(at now: Stamp, endsUnseen: Bool) {
        if endsUnseen {
            (known.deletion, ownStamp, observed) = (now, now, nil)
        } else {
            observed = .whole(now)
        }
    }

    /// What the remote holds once an app has written `content` there: no stamps, but those of the version before are known.
    func overwritten(
        with content: Content, etag: String? = nil, isComplete: Bool = true, _ rules: MergeRules
    ) -> RemoteSnapshot {
        RemoteSnapshot(
            stamp: nil, lastStamp: remote?.newestStamp, lastFieldStamps: lastFieldStamps(rules), content: content,
            etag: etag, isComplete: isComplete)
    }

    /// The stamps that the fields have in the last stamped version that stood there. A default's does not depend on its value
    /// any more, which an app may change.
    private func lastFieldStamps(_ rules: MergeRules) -> FieldStamps? {
        guard let stamped = remote?.stamped else { return remote?.lastFieldStamps }
        var stamps = stamped.stamps
        let values = rules.defaults.isEmpty ? [:] : stamped.content.fields
        for name in rules.defaults.keys {
            stamps.named[name] = stamped.stamps.stamp(of: name, value: values[name], rules)
        }
        return stamps
    }

    /// Whether this node has deleted what it had not seen, since `time`: of what stands there then.
    private func endsUnseen(_ time: UInt64?, node: NodeID) -> Bool {
        guard let time, let deletion = known.deletion else { return false }
        return deletion.node == node && deletion.physical >= time
    }

    /// What an app wrote is there unchanged, though a later tombstone stands beside it. Where that names just this, whoever
    /// deleted it has not come to removing it; where it names something else, who deleted had not seen what the app wrote:
    /// that counts as an edit over the delete, as it does to the one who deleted.
    private mutating func endedAsShown(clock: inout HybridClock, _ context: StepContext) -> Outcome {
        guard let tombstone, let seen = observed?.newest, tombstone.stamp > max(seen, known.live?.newest ?? seen),
            let ended = tombstone.contentHash
        else { return Outcome() }
        let before = self
        known.deletion = max(known.deletion ?? tombstone.stamp, tombstone.stamp)
        observed = ended == remote?.content.hash ? nil : .whole(clock.now(wall: context.wall))
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        outcome.noteDeletion(tombstone.stamp, before: before, after: self, node: clock.node, context.rules)
        return outcome
    }

    /// Whether a stale app has put back just what was deleted: no edit.
    func isPutBack(_ body: ForeignBody) -> Bool {
        guard known.isDeleted, remote == nil else { return false }
        if body.isHeldBefore { return true }
        guard let ended = tombstone?.contentHash ?? endedHere else { return false }
        if ended == body.content.hash { return true }
        guard let deleted = known.fields?.content, deleted.hash == ended else { return false }
        let fields = deleted.fields
        return Content(fields: body.named).fields.allSatisfy { fields[$0.key] == $0.value }
    }

    /// What this node's own delete has ended, which no tombstone may tell; nil where another one has deleted it.
    var endedHere: ContentHash? {
        guard let deletion = known.deletion, deletion == ownStamp else { return nil }
        return known.fields?.content.hash
    }

    /// Whether somebody has put back what was deleted: no edit.
    func isPutBack(_ reading: Reading) -> Bool {
        switch reading {
        case .absent: false
        case .stamped(let version): isPutBack(version)
        case .foreign(let body): isPutBack(body)
        }
    }

    /// Whether what was deleted has been put back with the stamps that it had: no edit either.
    private func isPutBack(_ version: AdmittedVersion) -> Bool {
        guard known.isDeleted, remote == nil, let deletion = known.deletion else { return false }
        return max(version.stamp, version.fieldStamps.newest) < deletion
    }

    /// - Returns: the numbers that don't count by their rule: what is known of them is written again.
    private mutating func observe(
        _ body: ForeignBody, _ before: RecordState, _ sent: [StampedContent], clock: inout HybridClock,
        _ context: StepContext
    ) -> [String] {
        let body = mergeSets(of: body, before, clock: &clock, context)
        let previous = before.remote?.content.fields
        let values = known.live?.content.fields ?? [:]
        let own = sent.map(\.content.fields)
        var names: [String: Stamp] = [:]
        var outvoted: [String] = []
        var now: Stamp?
        for (name, value) in Content(fields: body.written ?? body.named).fields {
            if previous?[name] == value {
                names[name] = before.observed?.stamp(of: name)
                continue
            }
            if values[name] == value || own.contains(where: { $0[name] == value }) { continue }
            if previous == nil, context.rules.defaults[name] == value { continue }
            guard context.rules.admits(value, for: name, after: values[name]) else {
                outvoted.append(name)
                continue
            }
            if let unseen = body.unseen[name] {
                clock.receive(unseen)
                names[name] = unseen
                continue
            }
            let stamp = now ?? clock.now(wall: context.wall)
            now = stamp
            names[name] = stamp
        }
        observed = names.isEmpty ? nil : .fields(names)
        return outvoted.sorted()
    }

    /// What an app had written, and the next one dropped because it does not know it, is known from now on. Its stamp is one
    /// that is derived, as it is no edit of this node's.
    private mutating func keepDropped(by body: ForeignBody, _ rules: MergeRules, _ before: RecordState) {
        guard case .fields(let names) = before.observed, let live = known.live,
            let shown = before.remote?.content.fields
        else { return }
        let written = body.written ?? body.named
        let dropped = names.filter { written[$0.key] == nil && shown[$0.key] != nil }
        guard !dropped.isEmpty else { return }
        var (fields, stamps) = (live.content.fields, live.stamps)
        stamps.edit(dropped.mapValues { rules.byRecord ? $0 : $0.successor }, from: fields, to: shown, rules)
        for name in dropped.keys { fields[name] = shown[name] }
        if rules.byRecord { stamps = FieldStamps(stamps.newest) }
        known.fields = StampedContent(Content(fields: fields), stamps)
    }

    /// The stamp of a version in which nothing is new but that: what apps have written is all that this node has to say.
    private func keptAlone(since before: RecordState) -> Stamp? {
        guard let app = before.observed?.newest, before.stamp == app else { return nil }
        return known.live?.newest
    }

    /// The record stands under another key now, with all that is known of it but its ETag.
    mutating func move(to name: String) {
        guard var remote else { return }
        remote.etag = nil
        base = .present(remote)
        remoteKey = name == key.id.description ? nil : name
    }

    /// What an app wrote under the upper-case key is gone: what the other key held is the base again, to be read.
    mutating func movedBack(
        to odd: String, holding content: Content, clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        let before = self
        base = .present(overwritten(with: content, context.rules))
        remoteKey = odd
        observed = nil
        settle(after: before, context.rules, clock: &clock, wall: context.wall)
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        return outcome
    }

    /// Takes over what a second key for the same UUID holds, before that key is removed. Of two keys for one UUID the
    /// upper-case one counts: a stamped second is compared by its stamps, another is an edit made now.
    ///
    /// - Parameters:
    ///   - old: what the second key held before: that is no edit of what stands there.
    ///   - wasMerged: whether all of that was merged: what is missing here of it was removed since.
    package mutating func mergedDuplicate(
        _ second: Reading, heldBefore old: Content? = nil, wasMerged: Bool = false, clock: inout HybridClock,
        _ context: StepContext
    ) -> Outcome {
        let before = self
        switch second {
        case .absent: return Outcome()
        case .stamped(let version):
            clock.receive(version.stamp)
            var shown = version.stamped
            if context.rules.byRecord { shown.stamps = FieldStamps(version.stamp) }
            known.fields = known.fields.map { .merged($0, shown, context.rules) } ?? shown
            settle(after: before, context.rules, clock: &clock, wall: context.wall)
            var outcome = Outcome()
            outcome.noteChange(from: before.view, to: view)
            outcome.noteConflicts(before: before, after: self, shown: version, node: clock.node, context)
            outcome.noteTies(before: before, shown: shown, context.rules)
            return outcome
        case .foreign(let body):
            let seen = view?.fields ?? [:]
            let old = old?.fields ?? [:]
            if isCopyOfDeleted(body, old) { return Outcome() }
            let changed = Content(fields: body.named).fields.filter { name, value in
                seen[name] != value && (old[name] != value || (seen[name] == nil && !wasMerged))
            }
            guard !changed.isEmpty else { return Outcome() }
            let stamp = clock.now(wall: context.wall)
            let edit = view == nil ? Edit.create(body.content.fields) : .update(changed.mapValues(Optional.some))
            var outcome = edited(edit, at: stamp, context.rules, clock: &clock, wall: context.wall)
            outcome.noteEditedOver(changed.keys, before: before, after: self, context.rules)
            return outcome
        }
    }

    /// Whether a second key shows no more than what was deleted, or what it held before: that is no edit over the delete.
    private func isCopyOfDeleted(_ body: ForeignBody, _ old: [String: JSONValue]) -> Bool {
        guard view == nil, known.isDeleted else { return false }
        let ended = known.fields?.content.fields ?? [:]
        return Content(fields: body.named).fields.allSatisfy { ended[$0] == $1 || old[$0] == $1 }
    }
}

extension Observation {
    /// When the last of it was observed.
    var newest: Stamp {
        switch self {
        case .whole(let stamp): stamp
        case .fields(let stamps): stamps.values.max() ?? .zero
        }
    }
}
