/// An entry of the ledger: a conflict that was decided.
package struct LedgerEntry: Hashable, Sendable {
    package var number: Int64
    package var key: RecordKey
    package var at: UInt64
    package var rule: String
    /// The fields that were decided; empty where it is about the record as a whole.
    package var fields: [String]
    /// What counts, and its stamp.
    package var winner: Version
    package var loser: Version
    /// Whether the loser was written back as a new edit.
    package var restored: Bool

    package init(
        number: Int64, key: RecordKey, at: UInt64, rule: String, fields: [String], winner: Version, loser: Version,
        restored: Bool = false
    ) {
        self.number = number
        self.key = key
        self.at = at
        self.rule = rule
        self.fields = fields
        self.winner = winner
        self.loser = loser
        self.restored = restored
    }
}
