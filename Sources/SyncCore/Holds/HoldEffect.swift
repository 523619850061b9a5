package import SyncModel

/// What must happen outside the state once a decision has been committed.
package enum HoldEffect: Hashable, Sendable {
    case none
    /// The journal is read again from its start.
    case readJournalAgain
    /// The journal goes on after what stood in it when the hold was raised.
    case goOnInJournal
    /// These records are read from the remote again.
    case readAgain([RecordKey])
}
