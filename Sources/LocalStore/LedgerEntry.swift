package import SyncModel

/// An entry of the ledger: a conflict that was decided.
package struct LedgerEntry: Hashable, Sendable {
    package var number: Int64
    package var key: RecordKey
    package var at: UInt64
    package var rule: String
    package var winner: Version
    package var loser: Version
}
