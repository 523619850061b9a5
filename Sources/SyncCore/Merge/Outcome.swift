internal import JSONText
package import SyncModel

/// What a step did to a record: what the change feed and the ledger must hear of.
package struct Outcome: Hashable, Sendable {
    /// How the record changed for a reader on this machine; nil where it reads the same as before.
    package var change: Change.Kind?
    /// What a reader saw before, where that has changed.
    package var before: Content?
    package var conflicts: [DecidedConflict] = []

    package init() {}

    /// Compares what a reader saw before with what it sees now.
    mutating func noteChange(from before: Content?, to after: Content?) {
        if before == after { return }
        self.before = before
        change = after == nil ? .delete : before == nil ? .create : .update
    }
}
