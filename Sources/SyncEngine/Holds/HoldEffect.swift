/// What a decision means beyond the records it names.
enum HoldEffect: Hashable, Sendable {
    case none
    /// How reading the journal goes on.
    case journal(JournalAnswer)
}

/// What a person decided about a journal that was rewritten.
enum JournalAnswer: Hashable, Sendable {
    /// All that stands in the file is read again, as new content.
    case readAgain
    /// Goes on behind what stood in the file when the hold was raised.
    case goOn
}
