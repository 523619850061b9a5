package import SyncModel

/// What a step did to a record: what the change feed and the ledger must hear of.
package struct Outcome: Hashable, Sendable {
    /// How the record changed for a reader on this machine; nil where it reads the same as before.
    package var change: Change.Kind?
    package var conflicts: [DecidedConflict] = []

    package init() {}

    /// Compares what a reader saw before with what it sees now.
    package mutating func noteChange(from old: Version?, to new: Version?) {
        let before = old?.content
        let after = new?.content
        if before == after { return }
        change = after == nil ? .delete : before == nil ? .create : .update
    }

    package mutating func noteConflict(winner: Version, loser: Version, rule: DecidedConflict.Rule? = nil) {
        guard winner.hash != loser.hash else { return }
        let decided = rule ?? (winner.stamp == loser.stamp ? .contentHash : .laterStamp)
        conflicts.append(DecidedConflict(decided, winner: winner, loser: loser))
    }
}
