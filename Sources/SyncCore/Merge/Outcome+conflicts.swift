internal import JSONText
internal import SyncModel

/// What goes to the ledger: every field that both sides changed without having seen each other's edit, and every delete
/// that ended an edit it had not seen (`docs/protocol.md` section 4).
extension Outcome {
    /// A stamped version of the remote was merged into what was known.
    mutating func noteConflicts(
        before: RecordState, after: RecordState, shown: AdmittedVersion, node: NodeID, _ context: StepContext
    ) {
        let rules = context.rules
        if before.known.isDeleted {
            noteDeleteAgainst(shown, before, after, node, context)
            // Where it is back, so is what was edited here before the delete, and never sent.
            guard after.known.isLive, before.remote != nil else { return }
        }
        guard let mine = before.known.fields, mine != shown.stamped, mine.hasStamp(of: node) else { return }
        // Merged by record it counts as a whole, also what was written while the fields counted each.
        let version = rules.byRecord ? StampedContent(shown.content, FieldStamps(shown.stamp)) : shown.stamped
        let base = before.remote?.stamped
        // A version with a stamp of its own above all its fields was merged: at least our latest had not been seen.
        let isMerged = shown.stamp > shown.fieldStamps.newest
        let latest = base?.newest
        let isBlind = base != nil && shown.isBlind(for: node, context)
        // Whether it replaced a version from before an edit of ours, or was merged with one: its author had not read that. Of
        // one that somebody has edited over, others may have been merged.
        func isUnread(_ own: Stamp, by author: NodeID) -> Bool {
            if isBlind || shown.replaces.map({ own > $0 }) ?? false { return true }
            return isMerged && own == latest && version.stamps.isAll(by: author, above: own)
        }
        // Made over a write of ours whose answer never came: its author had read all that this node had edited by then.
        let read = isMerged ? nil : shown.newestRead(of: node, among: mine.stamps, above: latest)
        var decided: [(name: String, ownIsLater: Bool)] = []
        let values = (shown: shown.content.fields, remote: before.remote?.content.fields ?? [:])
        for difference in mine.differences(from: version, over: before.remote?.lastStamped, rules) {
            let (name, own, theirs) = (difference.name, difference.own, difference.theirs)
            guard own.node == node, theirs.node != node, own != .zero, theirs != .zero else { continue }
            // Noted when the app wrote it, or edited over; unless its write turns out to be earlier than was thought then.
            let isAsDated = own < theirs || rules.isNumber(name)
            if isAsDated, before.isObserved(name), values.remote[name] == values.shown[name] { continue }
            if before.isEditedOver(name, values.shown) { continue }
            let isUnsent = before.isUnsent(difference)
            if isUnsent, difference.known.map({ theirs > $0 }) ?? true {
                if let read, own <= read { continue }
                decided.append((name, own > theirs))
            } else if !isUnsent, before.known.isLive, theirs > own, isUnread(own, by: theirs.node) {
                decided.append((name, false))
            }
        }
        noteConflicts(decided, mine: mine, theirs: version, rules)
    }

    /// Notes fields that both sides changed, each by the rule that decides it: its own, or the later stamp.
    private mutating func noteConflicts(
        _ decided: [(name: String, ownIsLater: Bool)], mine: StampedContent, theirs: StampedContent, _ rules: MergeRules
    ) {
        let values = (mine: mine.content.fields, theirs: theirs.content.fields)
        func ownWins(_ name: String, _ ownIsLater: Bool) -> Bool {
            guard let rule = rules.fields[name], rule != .set else { return ownIsLater }
            let own = FieldReading(name, values.mine[name], mine.stamps, rules)
            let other = FieldReading(name, values.theirs[name], theirs.stamps, rules)
            return FieldReading.merged(own, other, rule).value == own.value
        }
        for rule in [DecidedConflict.Rule.laterStamp, .fieldRule] {
            let ruled = decided.filter { (rules.fields[$0.name] != nil) == (rule == .fieldRule) }
            let sides = ruled.map { ($0.name, ownWins($0.name, $0.ownIsLater)) }
            noteSides(sides, rule, mine: mine, theirs: theirs, rules)
        }
    }

    /// Notes what each side has won by a rule, one entry for each side.
    private mutating func noteSides(
        _ decided: [(name: String, ownWins: Bool)], _ rule: DecidedConflict.Rule, mine: StampedContent,
        theirs: StampedContent, _ rules: MergeRules
    ) {
        for (ownWins, winner, loser) in [(true, mine, theirs), (false, theirs, mine)] {
            let fields = Set(decided.filter { $0.ownWins == ownWins }.map(\.name)).sorted()
            if !fields.isEmpty { noteConflict(fields: fields, rule, winner: winner, loser: loser, rules) }
        }
    }

    /// This node had deleted what the remote shows in a version that the delete had not seen.
    private mutating func noteDeleteAgainst(
        _ shown: AdmittedVersion, _ before: RecordState, _ after: RecordState, _ node: NodeID, _ context: StepContext
    ) {
        guard let deletion = before.known.deletion, deletion.node == node, !deletion.isCountedUp,
            let newest = before.newestUnseen(in: shown, by: node, context.rules)
        else { return }
        let isTold = context.keepsTombstones ? before.tombstone?.stamp == deletion : before.base == .absent
        // Whoever knew of the delete has written every field after it.
        let wasSeen = !shown.fieldStamps.isAny(below: deletion)
        if isTold, wasSeen, before.remote == nil, newest > deletion { return }
        let delete = Version(nil, deletion)
        if newest < deletion {
            conflicts.append(DecidedConflict(.laterStamp, winner: delete, loser: Version(shown.content, newest)))
        } else if let live = after.known.live {
            // What counts now may have fields that were edited here. Where it is not back, another delete has ended that.
            conflicts.append(DecidedConflict(.laterStamp, winner: Version(live.content, newest), loser: delete))
        }
    }

    /// A delete of the remote was merged into what was known.
    mutating func noteDeletion(
        _ deletion: Stamp, before: RecordState, after: RecordState, node: NodeID, _ rules: MergeRules
    ) {
        guard let mine = before.known.live, mine.hasStamp(of: node) else { return }
        // Other fields may have been edited later, by others.
        let unsent = before.newestUnsent(of: node, rules)
        if after.known.isDeleted {
            // The tombstone names the content that was deleted: where it is not what this node wrote, its author had not
            // seen that.
            let ended = after.tombstone.flatMap { $0.stamp == deletion ? $0.contentHash : nil }
            let lost = unsent ?? (ended != nil && mine.newest.node == node ? mine.newest : nil)
            guard let lost, ended != mine.content.hash else { return }
            conflicts.append(
                DecidedConflict(.laterStamp, winner: Version(nil, deletion), loser: Version(mine.content, lost)))
        } else if let unsent, unsent > deletion, after.known.isLive, deletion > before.known.deletion ?? .zero {
            conflicts.append(
                DecidedConflict(.laterStamp, winner: Version(mine.content, mine.newest), loser: Version(nil, deletion)))
        }
    }

    /// An app wrote another value over an edit of this node that it can't have seen.
    ///
    /// - Parameter seen: the version that it had read, where that is older than the base.
    mutating func noteOverwritten(
        before: RecordState, after: RecordState, seen: Stamp?, node: NodeID, _ rules: MergeRules
    ) {
        guard case .fields(let names) = after.observed, let mine = before.known.live, let shown = after.remote,
            mine.hasStamp(of: node)
        else { return }
        let winner = StampedContent(shown.content, FieldStamps(.zero, named: names))
        let lost = mine.differences(from: winner, over: before.remote?.lastStamped, rules).filter { difference in
            let (name, own) = (difference.name, difference.own)
            let earlier = before.observed?.stamp(of: name)
            // What is derived is another app's, or of unknown time.
            guard own.node == node, !own.isCountedUp, let stamp = names[name], stamp != earlier else { return false }
            // Noted when an app wrote over it for the first time.
            if rules.fields[name] != .set, let earlier, own < earlier { return false }
            return seen.map { own > $0 } ?? false || before.isUnsent(difference)
        }
        noteConflicts(lost.map { ($0.name, false) }, mine: mine, theirs: winner, rules)
    }

    /// A later version came whose author had not seen what an app wrote below the one before it, so that the stamp stayed: the
    /// fields are there as they were before the app. Only where the remote's rules compare stamps alone can that be.
    mutating func noteOverwrittenBelow(before: RecordState, shown: AdmittedVersion, _ rules: MergeRules) {
        guard case .fields(let names) = before.observed, let last = before.remote?.lastStamp, shown.stamp > last,
            let known = before.known.live, let app = before.outgoing(rules)
        else { return }
        let values = (shown: shown.content.fields, known: known.content.fields, app: app.content.fields)
        func isBack(_ name: String) -> Bool {
            guard values.shown[name] == values.known[name], values.shown[name] != values.app[name] else { return false }
            func stamp(_ stamps: FieldStamps) -> Stamp { stamps.stamp(of: name, value: values.known[name], rules) }
            return rules.byRecord || stamp(shown.fieldStamps) == stamp(known.stamps)
        }
        let lost = Set(names.keys.map(FieldStamps.field)).filter(isBack)
        guard !lost.isEmpty else { return }
        func side(_ values: [String: JSONValue], _ stamp: Stamp) -> Version {
            Version(Content(fields: values.filter { lost.contains($0.key) }), stamp)
        }
        let stamp = names.filter { lost.contains(FieldStamps.field(of: $0.key)) }.values.max() ?? last
        conflicts.append(
            DecidedConflict(
                .laterStamp, fields: lost.sorted(), winner: side(values.shown, shown.stamp),
                loser: side(values.app, stamp)))
    }

    /// This node had deleted what an app had changed before, or has changed before it was gone: that counts as later.
    mutating func noteDeleteOverwritten(before: RecordState, after: RecordState, node: NodeID) {
        guard before.remote != nil, before.view == nil, let deletion = before.known.deletion, deletion.node == node,
            let shown = after.view, let stamp = after.observed?.newest
        else { return }
        conflicts.append(DecidedConflict(.laterStamp, winner: Version(shown, stamp), loser: Version(nil, deletion)))
    }

    /// Other values were shown under the very stamps that are known: of each the one with the higher hash counts, and nothing
    /// else tells that there were two.
    mutating func noteTies(before: RecordState, shown: StampedContent, _ rules: MergeRules) {
        guard let mine = before.known.live else { return }
        let values = (mine: mine.content.fields, shown: shown.content.fields)
        var decided: [(name: String, ownWins: Bool)] = []
        for name in values.shown.keys where rules.fields[name] == nil {
            guard let value = values.mine[name], value != values.shown[name] else { continue }
            let own = FieldReading(name, value, mine.stamps, rules)
            let other = FieldReading(name, values.shown[name], shown.stamps, rules)
            guard own.stamp == other.stamp, own.stamp != .zero else { continue }
            decided.append((name, own.beats(other)))
        }
        noteSides(decided, .contentHash, mine: mine, theirs: shown, rules)
    }

    /// What an app wrote under a second key was taken for an edit made now, over what a node had set: nothing tells whether
    /// its author had seen that, nor which was earlier.
    mutating func noteEditedOver(
        _ names: some Sequence<String>, before: RecordState, after: RecordState, _ rules: MergeRules
    ) {
        guard let mine = before.outgoing(rules), let winner = after.known.live else { return }
        let own = mine.content.fields
        let lost = names.filter { mine.stamps.stamp(of: $0, value: own[$0], rules) > .zero }.sorted()
        guard !lost.isEmpty else { return }
        noteConflict(fields: lost, .laterStamp, winner: winner, loser: mine, rules)
    }
}

extension RecordState {
    /// Whether the remote has never shown this node's edit. What an app wrote has no stamps, but the version below it had.
    fileprivate func isUnsent(_ difference: Difference) -> Bool {
        (difference.known ?? remote?.lastStamp).map { difference.own > $0 } ?? true
    }

    /// Whether an app has given a field the value that the remote has.
    fileprivate func isObserved(_ name: String) -> Bool { observed?.stamp(of: name) != nil && remote != nil }

    /// Whether this node's edit of a field was made over the value that it has among others, as an app had given it.
    func isEditedOver(_ name: String, _ shown: [String: JSONValue]) -> Bool {
        editedOver[name].map { $0 == shown[name] } ?? false
    }

    /// The latest edit of this node's that set a field, or a member of a set, and was never shown by the remote; nil where
    /// there is none.
    fileprivate func newestUnsent(of node: NodeID, _ rules: MergeRules) -> Stamp? {
        guard let mine = known.live else { return nil }
        let (own, shown) = (mine.editStamps(rules), remote?.lastStamped?.editStamps(rules))
        return mine.editNames.filter { name in
            let stamp = own(name)
            return stamp.node == node && (shown?(name) ?? remote?.lastStamp).map { stamp > $0 } ?? true
        }.map(own).max()
    }

    /// The latest edit of another node's in a version, of a field or a member of a set, that this node had not seen; nil where
    /// there is none.
    func newestUnseen(in version: AdmittedVersion, by node: NodeID, _ rules: MergeRules) -> Stamp? {
        let shown = version.stamped
        let edits = shown.editStamps(rules)
        let (base, mine) = (remote?.lastStamped?.editStamps(rules), known.fields?.editStamps(rules))
        let values = version.content.fields
        return shown.editNames.filter { name in
            let (stamp, field) = (edits(name), FieldStamps.field(of: name))
            guard stamp.node != node, stamp != .zero, base.map({ stamp > $0(name) }) ?? true else { return false }
            // What an app wrote, and was seen, another node has stamped later.
            if isEditedOver(field, values) { return false }
            // A later edit of another node's has ended it already.
            return mine.map { stamp > $0(name) || (stamp < $0(name) && $0(name).node == node) } ?? true
        }.map(edits).max()
    }
}

/// A field that two versions show differently, or one member of a set, with the stamps that decide between them.
private struct Difference {
    /// The field's name.
    var name: String
    var own: Stamp
    var theirs: Stamp
    /// What it has in the version that both know; nil where there is none.
    var known: Stamp?
}

extension StampedContent {
    /// Whether a field carries a stamp of `node`.
    fileprivate func hasStamp(of node: NodeID) -> Bool {
        stamps.common.node == node || stamps.named.values.contains { $0.node == node }
    }

    /// What edits have set: fields, members of sets, and as "" what a create leaves out.
    fileprivate var editNames: Set<String> { Set(content.fields.keys).union(stamps.named.keys).union([""]) }

    /// The stamp of each of ``editNames``, or of those of another version.
    fileprivate func editStamps(_ rules: MergeRules) -> (String) -> Stamp {
        let (own, fields) = (stamps, content.fields)
        return { name in
            if let stamp = own.named[name] { return stamp }
            let field = FieldStamps.field(of: name)
            return own.stamp(of: field, value: fields[field], rules)
        }
    }

    fileprivate func differences(
        from other: StampedContent, over base: StampedContent?, _ rules: MergeRules
    ) -> [Difference] {
        // Reading them costs as much as they are long.
        let (mine, theirs, known) = (content.fields, other.content.fields, base?.content.fields ?? [:])
        return Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.flatMap { name in
            let whole = Difference(
                name: name, own: stamps.stamp(of: name, value: mine[name], rules),
                theirs: other.stamps.stamp(of: name, value: theirs[name], rules),
                known: base?.stamps.stamp(of: name, value: known[name], rules))
            guard rules.fields[name] == .set else { return [whole] }
            let differing = SetMerge.members(of: mine[name]).symmetricDifference(SetMerge.members(of: theirs[name]))
            return differing.map { member in
                Difference(
                    name: name, own: stamps.stamp(ofMember: member, of: name, else: whole.own),
                    theirs: other.stamps.stamp(ofMember: member, of: name, else: whole.theirs),
                    known: whole.known.flatMap { base?.stamps.stamp(ofMember: member, of: name, else: $0) })
            }
        }
    }
}
