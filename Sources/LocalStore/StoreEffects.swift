package import SyncModel

/// What a transaction did, for whoever keeps numbers and queues in memory; valid once it has committed.
package struct StoreEffects: Sendable {
    /// By how much each collection's counts changed.
    package var counts: [CollectionID: CollectionCounts] = [:]
    /// Records that must be pushed now.
    package var toPush: [RecordKey] = []
    /// Quarantined items that belong to no collection.
    package var quarantinedElsewhere = 0
    /// How many more items of the quarantine came from the journal.
    package var quarantinedFromJournal = 0
    package var changes = 0
    package var holdsChanged = false
    package var raised: [Hold] = []
    /// Conflicts that were decided, as they stand in the ledger.
    package var decided: [LedgerEntry] = []

    package init() {}
}
