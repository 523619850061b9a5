internal import JSONText
package import SyncModel

/// What a step did to a record: what the change feed and the ledger must hear of.
package struct Outcome: Hashable, Sendable {
    /// How the record changed for a reader on this machine; nil where it reads the same as before.
    package var change: Change.Kind?
    /// What a reader saw before, where that has changed.
    package var before: Content?
    package var conflicts: [DecidedConflict] = []
    /// The stamp of a version that shows what a reader sees already.
    package var shownAgain: Stamp?

    package init() {}

    /// Compares what a reader saw before with what it sees now.
    mutating func noteChange(from before: Content?, to after: Content?) {
        if before == after { return }
        self.before = before
        change = after == nil ? .delete : before == nil ? .create : .update
    }

    /// Notes that the remote holds just what a reader saw already, in a version that was made of others, or in one that another
    /// node has stamped of what an app wrote: one that is an edit's that is known shows that edit.
    mutating func noteShownAgain(before: RecordState, after: RecordState) {
        guard change == nil, let remote = after.remote, let stamp = remote.stamp, stamp != before.remote?.stamp,
            remote.content == after.view, let newest = remote.fieldStamps?.newest
        else { return }
        let isKnown = stamp == newest && stamp <= before.known.fields?.newest ?? .zero
        guard !isKnown else { return }
        shownAgain = stamp
    }
}
