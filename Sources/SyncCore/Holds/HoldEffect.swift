package import SyncModel

/// What a decision means beyond the records it names.
package enum HoldEffect: Hashable, Sendable {
    case none
    /// How reading the journal goes on.
    case journal(JournalAnswer)
    /// These records are read from the remote again.
    case readAgain([RecordKey])
    /// Records of this collection that were gone from the remote are deleted.
    case absenceApproved(CollectionID)
    /// The session of the person with this `uid` is forgotten.
    case signOut(String)
    /// The session of the person with this `uid` is tried once more.
    case tryAgain(String)
}

/// What a person decided about a journal that was rewritten.
package enum JournalAnswer: Hashable, Sendable {
    /// All that stands in the file is read again, as new content.
    case readAgain
    /// Goes on behind what stood in the file when the hold was raised.
    case goOn
}
