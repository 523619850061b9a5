internal import JSONText
package import SyncModel

/// A conflict that was decided: what counts, what lost, and the rule.
package struct DecidedConflict: Hashable, Sendable {
    package enum Rule: String, Hashable, Sendable {
        /// The later edit won.
        case laterStamp
        /// Equal stamps: the higher hash of the value won.
        case contentHash
        /// The field's own rule (`max`, `min`, `set`) decided.
        case fieldRule
        /// The remote refused the version, and a person gave it up.
        case dropped
    }

    package var rule: Rule
    /// The fields that were decided; empty where it is about the record as a whole.
    package var fields: [String]
    package var winner: Version
    package var loser: Version

    package init(_ rule: Rule, fields: [String] = [], winner: Version, loser: Version) {
        self.rule = rule
        self.fields = fields
        self.winner = winner
        self.loser = loser
    }
}
