package import SyncModel

/// A conflict that was decided: both versions and the rule.
package struct DecidedConflict: Hashable, Sendable {
    package enum Rule: String, Hashable, Sendable {
        /// The later edit won.
        case laterStamp
        /// Equal stamps: the higher content hash won.
        case contentHash
        /// The remote refused the version, and a person gave it up.
        case dropped
    }

    package var rule: Rule
    package var winner: Version
    package var loser: Version

    package init(_ rule: Rule, winner: Version, loser: Version) {
        self.rule = rule
        self.winner = winner
        self.loser = loser
    }
}
