internal import SyncModel

/// How much the state keeps of what would grow for ever. What is above goes in small steps, each within a transaction
/// that adds something of its kind.
package struct StoreLimits: Sendable {
    /// How many operations are remembered by their opID.
    package var operations: Int64 = 1_000_000
    /// How long they are, in milliseconds.
    package var operationAge: Int64 = 30 * 86_400_000
    /// How many conflicts the ledger keeps.
    package var conflicts: Int64 = 100_000
    /// How many entries the change feed keeps that are not written elsewhere yet.
    package var changes: Int64 = 1_000_000
    /// How many items of one collection and one source the quarantine lists.
    package var quarantined = QuarantinedItem.mostOfOneSource
    /// How many records each level of their index has but the last one, see ``RecordIndex``.
    package var recordLevels = [16_000, 128_000]
    /// How many rows of a kind one transaction forgets, so that nobody waits for it.
    package var atOnce: Int64 = 20_000

    package init() {}

    /// - Parameter recordLevels: see there.
    package init(recordLevels: [Int]) { self.recordLevels = recordLevels }
}
