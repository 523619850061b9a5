internal import JSONText
package import SyncModel

extension RecordState {
    /// What a reader on this machine sees; nil where there is no record, or it is deleted.
    package var view: Content? {
        guard let observed, let remote else { return known.live?.content }
        switch observed {
        case .whole: return remote.content
        case .fields(let stamps):
            guard let live = known.live else { return nil }
            let shown = remote.content.fields
            return Content(
                fields: live.content.fields.merging(shown.filter { stamps[$0.key] != nil }) { _, app in app })
        }
    }

    /// ``view`` with the stamp of the version, or of the delete; nil where nothing is known of the record.
    package var version: Version? {
        if let view { return Version(view, stamp ?? .zero) }
        return known.deletion.map { Version(nil, $0) }
    }

    /// What the remote should hold: what is known, with the observations and the stamps that they get here. Nil where it
    /// should hold nothing.
    package func outgoing(_ rules: MergeRules) -> StampedContent? {
        guard let observed, let remote else { return known.live }
        switch observed {
        case .whole(let stamp): return StampedContent(remote.content, stamps(of: remote.content, at: stamp, rules))
        case .fields(let names):
            guard let live = known.live else { return nil }
            let shown = remote.content.fields
            var fields = live.content.fields
            var stamps = live.stamps
            stamps.edit(names, from: fields, to: shown, rules)
            for name in names.keys { fields[name] = shown[name] }
            if rules.byRecord { stamps = FieldStamps(stamp ?? stamps.newest) }
            return StampedContent(Content(fields: fields), stamps)
        }
    }

    /// Those of what an app wrote where nothing was known, or after a delete: of what it lacks, or has at its default, it says
    /// nothing, for others may know more; a delete has ended that, and no edit after it.
    private func stamps(of content: Content, at stamp: Stamp, _ rules: MergeRules) -> FieldStamps {
        guard !rules.byRecord else { return FieldStamps(stamp) }
        var stamps = FieldStamps(known.deletion.map { $0 < stamp ? $0 : .zero } ?? .zero)
        for (name, value) in content.fields where known.deletion != nil || rules.defaults[name] != value {
            stamps.set(name, stamp, value: value, rules)
        }
        return stamps
    }

    /// Whether the remote does not yet hold what this node does: what is known, with the observations, differs from the
    /// base. Holds and quarantine are not looked at.
    package func differs(keepsTombstones: Bool) -> Bool {
        if let live = known.live {
            guard let remote else { return true }
            return observed != nil || remote.stamp == nil || remote.content != live.content
                || remote.fieldStamps != live.stamps
        }
        if observed != nil {
            // An app's record is stamped where one that was stamped stood there before, or where it lacks something.
            guard let remote else { return false }
            return remote.lastStamp != nil || tombstone != nil || !remote.isComplete
        }
        guard let deletion = known.deletion else { return false }
        return remote != nil || (keepsTombstones && (tombstone.map { $0.stamp < deletion } ?? true))
    }

    /// Gives the version a stamp of its own where it is not the base's: above all that it is made of, so that on the remote
    /// a later version always has the higher one.
    ///
    /// - Parameters:
    ///   - edit: the stamp of the edit that was just made, which then is the version's too.
    ///   - isMerge: an edit of another node's may be in what was read, and must be able to tell that it had not been seen.
    ///   - before: the state before the step.
    mutating func settle(
        after before: RecordState, edit: Stamp? = nil, isMerge: Bool = false, _ rules: MergeRules,
        clock: inout HybridClock, wall: UInt64
    ) {
        if observed != nil {
            guard stamp == nil || known != before.known || observed != before.observed || stamp == remote?.newestStamp
            else { return }
            if !isMerge, let app = appsAlone(since: before, clock.node) {
                stamp = app
                return
            }
            return stampAnew(before, clock: &clock, wall: wall)
        }
        guard let live = known.live else {
            stamp = known.deletion
            return
        }
        if let remote, let shown = remote.stamp, remote.content == live.content, remote.fieldStamps == live.stamps {
            stamp = shown
            return
        }
        let floor = max(remote?.newestStamp ?? .zero, known.deletion ?? .zero)
        if rules.byRecord {
            // One version won whole, with its stamp.
            stamp = live.newest
            guard live.newest <= floor else { return }
            stampAnew(before, clock: &clock, wall: wall)
            if let stamp { known.fields?.stamps = FieldStamps(stamp) }
            return
        }
        let isKnown = known == before.known && before.observed == nil && !isOverNews(since: before, clock.node)
        if let stamp, stamp > floor, stamp >= live.newest, isKnown { return }
        if let edit, edit >= live.newest, edit > floor, before.stamp.map({ edit > $0 || !before.known.isLive }) ?? true
        {
            stamp = edit
        } else {
            stampAnew(before, clock: &clock, wall: wall)
        }
    }

    /// The stamp that this node has given what an app wrote, where nothing else is new: it is the version's too, for nobody's
    /// edit was merged.
    private func appsAlone(since before: RecordState, _ node: NodeID) -> Stamp? {
        guard case .fields(let names)? = observed, let app = names.values.max(), app.node == node,
            let live = known.live, known == before.known
        else { return nil }
        let isAlone =
            if let seen = before.observed { before.stamp == seen.newest } else { before.remote?.stamped == live }
        guard isAlone, app > max(remote?.newestStamp ?? .zero, live.newest, known.deletion ?? .zero),
            before.stamp.map({ app > $0 }) ?? true
        else { return nil }
        return app
    }

    /// Whether the version now replaces one that its author, this node, had not seen: then it is a merge, and must show it by
    /// a stamp above those of all its fields. What this node has written itself is no news.
    private func isOverNews(since before: RecordState, _ node: NodeID) -> Bool {
        guard let remote, let shown = remote.stamp, shown.node != node else { return false }
        return shown != before.remote?.stamp || remote.content != before.remote?.content
    }

    private mutating func stampAnew(_ before: RecordState, clock: inout HybridClock, wall: UInt64) {
        for known in [known.fields?.newest, known.deletion, remote?.newestStamp, before.stamp] {
            if let known { clock.receive(known) }
        }
        stamp = clock.now(wall: wall)
    }
}
