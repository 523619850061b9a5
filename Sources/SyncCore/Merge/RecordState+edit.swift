internal import JSONText
package import SyncModel

extension RecordState {
    /// Applies an edit made on this machine: its fields get its stamp, each where it is above what is known of that field.
    package mutating func edited(
        _ edit: Edit, at editStamp: Stamp, _ rules: MergeRules, clock: inout HybridClock, wall: UInt64
    ) -> Outcome {
        let before = self
        ownStamp = max(ownStamp ?? editStamp, editStamp)
        switch edit {
        case .delete: delete(at: editStamp, rules)
        case .whole(_, let content): merge(created(content, editStamp, rules), at: editStamp, over: nil, rules)
        case .update(let fields): merge(updated(fields, editStamp, rules), at: editStamp, over: fields, rules)
        }
        // What an app wrote later than this edit was made stays, also where all that is known is deleted.
        if case .fields(let rest) = observed, !known.isLive { observed = rest.values.max().map { .whole($0) } }
        timesPutBack = 0
        settle(after: before, edit: editStamp, rules, clock: &clock, wall: wall)
        // One stamp for the record: this machine's next edit goes above the version that this one has become.
        if rules.byRecord, let stamp, stamp.node == clock.node { ownStamp = max(ownStamp ?? stamp, stamp) }
        var outcome = Outcome()
        outcome.noteChange(from: before.view, to: view)
        outcome.noteLostEdit(edit, at: editStamp, before, after: self, rules)
        return outcome
    }

    private mutating func delete(at editStamp: Stamp, _ rules: MergeRules) {
        noteEditedOver(above: editStamp, rules) { _, _ in true }
        known.deletion = max(known.deletion ?? editStamp, editStamp)
    }

    /// A create sets all fields. One that it leaves at its default is nobody's choice, unless it replaces another value
    /// that its author saw, or had deleted.
    private func created(_ content: Content, _ editStamp: Stamp, _ rules: MergeRules) -> StampedContent {
        var stamps = FieldStamps(editStamp)
        if let seen = (view ?? known.fields?.content)?.fields {
            let created = content.fields
            for (name, value) in rules.defaults where created[name] == value && seen[name] != value {
                stamps.named[name] = editStamp
            }
        }
        return StampedContent(content, stamps)
    }

    /// What is known with the named fields changed. What is only observed of the others comes along at the zero stamp, or at
    /// that of the delete, so that the record is whole should the app's body vanish.
    private func updated(_ named: [String: JSONValue?], _ editStamp: Stamp, _ rules: MergeRules) -> StampedContent {
        // A version that counts as a whole holds all that its author was shown.
        var fields = (rules.byRecord ? view : known.live?.content)?.fields ?? [:]
        // Above what a delete has ended, which an app may have made anew.
        var stamps = known.live?.stamps ?? FieldStamps(known.deletion ?? .zero)
        let changes = rules.admitted(named, after: fields)
        for (name, value) in view?.fields ?? [:] where fields[name] == nil && changes[name] == nil {
            fields[name] = value
        }
        let before = fields
        for (name, value) in changes { fields[name] = value }
        let content = Content(fields: fields)
        stamps.edit(changes.mapValues { _ in editStamp }, from: before, to: content.fields, rules)
        // Of a set also what an app had added or removed: its author was shown that.
        let shown = changes.keys.filter { rules.fields[$0] == .set && observed?.stamp(of: $0) != nil }
        let seen = shown.isEmpty ? [:] : view?.fields ?? [:]
        for name in shown { stamps.edit([name: editStamp], from: seen, to: content.fields, rules) }
        if rules.byRecord { stamps = FieldStamps(editStamp) }
        return StampedContent(content, stamps)
    }

    /// - Parameter named: the fields that the edit is about; nil for all.
    private mutating func merge(
        _ edited: StampedContent, at editStamp: Stamp, over named: [String: JSONValue?]?, _ rules: MergeRules
    ) {
        let values = rules.fields.isEmpty ? [:] : edited.content.fields
        noteEditedOver(above: editStamp, rules) { name, shown in
            guard let named else { return rules.admits(values[name], for: name, after: shown) }
            return named[name].map { rules.admits($0, for: name, after: shown) } ?? false
        }
        guard let live = known.fields else {
            known.fields = edited
            return
        }
        if edited.newest > live.newest, named != nil, live == known.live {
            // An update was laid over what is known: it holds all of it.
            known.fields = edited
        } else {
            known.fields = .merged(live, edited, rules)
        }
    }

    /// What is edited is observed no more; the edit goes above the stamp that the observed value gets.
    ///
    /// - Parameter isMeant: whether the edit is meant to replace what is shown of a field.
    private mutating func noteEditedOver(
        above stamp: Stamp, _ rules: MergeRules, _ isMeant: (String, JSONValue?) -> Bool
    ) {
        guard let observed, let shown = remote?.content.fields else { return }
        var rest: [String: Stamp] = [:]
        let isNew = if case .whole = observed { known.deletion == nil } else { false }
        for (name, value) in shown {
            // Where nothing was known of the record, its default is nobody's choice.
            if isNew, rules.defaults[name] == value { continue }
            guard let seen = observed.stamp(of: name) else { continue }
            if stamp > seen, isMeant(name, value) {
                editedOver[name] = value
            } else {
                rest[name] = seen
            }
        }
        // One stamp for the record: an edit that is later than all of it has its own, though it is about one field.
        if rules.byRecord, observed.newest < stamp { rest = [:] }
        self.observed = rest.isEmpty ? nil : .fields(rest)
    }
}

extension Outcome {
    /// An edit that is older than what is there loses: the ledger has it.
    fileprivate mutating func noteLostEdit(
        _ edit: Edit, at stamp: Stamp, _ before: RecordState, after: RecordState, _ rules: MergeRules
    ) {
        let current = before.known.live
        switch edit {
        case .delete:
            guard let live = after.known.live, let current, current.newest > stamp else { return }
            conflicts.append(
                DecidedConflict(.laterStamp, winner: Version(live.content, current.newest), loser: Version(nil, stamp)))
        case .whole(let fields, let content):
            // As the record has them: 5 for 5.0.
            noteLostToRules(
                content.fields.filter { fields[$0.key] != nil }.mapValues(Optional.some), stamp, after, rules)
            guard mayBeLost(stamp, before, after) else { return }
            noteLost(fields.mapValues(Optional.some), content, stamp, before, after, rules)
        case .update(let fields):
            noteLostToRules(fields, stamp, after, rules)
            guard mayBeLost(stamp, before, after) else { return }
            noteLost(fields, Content(fields: fields.compactMapValues(\.self)), stamp, before, after, rules)
        }
    }

    /// A number that is no better than what is there does not count, whenever it was written.
    private mutating func noteLostToRules(
        _ named: @autoclosure () -> [String: JSONValue?], _ stamp: Stamp, _ after: RecordState, _ rules: MergeRules
    ) {
        guard !rules.fields.isEmpty, let live = after.known.live, let shown = after.view else { return }
        let values = shown.fields
        let lost = named().filter { rules.isNumber($0.key) && $0.value != values[$0.key] }
        guard !lost.isEmpty else { return }
        noteConflict(
            fields: lost.keys.sorted(), .fieldRule, winner: StampedContent(shown, live.stamps),
            loser: StampedContent(Content(fields: lost.compactMapValues(\.self)), FieldStamps(stamp)), rules)
    }

    /// Most edits are later than all that is there, and lose nothing.
    private func mayBeLost(_ stamp: Stamp, _ before: RecordState, _ after: RecordState) -> Bool {
        after.observed != nil || !after.known.isLive || before.known.live.map { $0.newest > stamp } ?? false
    }

    private mutating func noteLost(
        _ named: [String: JSONValue?], _ content: Content, _ stamp: Stamp, _ before: RecordState,
        _ after: RecordState, _ rules: MergeRules
    ) {
        let overwritten = noteLostToObservation(content, stamp, after, rules)
        guard let live = after.known.live else {
            guard let deletion = after.known.deletion else { return }
            conflicts.append(
                DecidedConflict(.laterStamp, winner: Version(nil, deletion), loser: Version(content, stamp)))
            return
        }
        guard let known = before.known.live, known.newest > stamp else { return }
        let values = live.content.fields
        let edited = content.fields
        let lost = named.keys.filter { name in
            let isChoice = rules.defaults[name] == nil || rules.defaults[name] != edited[name]
            guard isChoice, !rules.isNumber(name), !overwritten.contains(name) else { return false }
            return edited[name] != values[name]
                && live.stamps.stamp(of: name, value: values[name], rules) >= stamp
        }.sorted()
        guard !lost.isEmpty else { return }
        noteConflict(fields: lost, .laterStamp, winner: live, loser: StampedContent(content, FieldStamps(stamp)), rules)
    }

    /// What an app has written is dated when it was observed, and may be later than an edit that is read only now.
    ///
    /// - Returns: the fields that lost to it.
    private mutating func noteLostToObservation(
        _ edited: Content, _ stamp: Stamp, _ after: RecordState, _ rules: MergeRules
    ) -> Set<String> {
        guard let observed = after.observed, let shown = after.remote?.content else { return [] }
        let values = shown.fields
        var stamps: [String: Stamp] = [:]
        for (name, value) in edited.fields where value != values[name] && value != rules.defaults[name] {
            if rules.isNumber(name) { continue }
            if let seen = observed.stamp(of: name), seen > stamp { stamps[name] = seen }
        }
        guard !stamps.isEmpty else { return [] }
        noteConflict(
            fields: stamps.keys.sorted(), .laterStamp,
            winner: StampedContent(shown, FieldStamps(.zero, named: stamps)),
            loser: StampedContent(edited, FieldStamps(stamp)), rules)
        return Set(stamps.keys)
    }

    /// Notes that fields of `loser` lost to those of `winner`.
    mutating func noteConflict(
        fields: [String], _ rule: DecidedConflict.Rule, winner: StampedContent, loser: StampedContent,
        _ rules: MergeRules
    ) {
        func side(_ side: StampedContent) -> Version {
            let values = side.content.fields.filter { fields.contains($0.key) }
            let stamps = fields.map { side.stamps.stamp(of: $0, value: values[$0], rules) }
            return Version(Content(fields: values), stamps.max() ?? side.newest)
        }
        conflicts.append(DecidedConflict(rule, fields: fields, winner: side(winner), loser: side(loser)))
    }
}
