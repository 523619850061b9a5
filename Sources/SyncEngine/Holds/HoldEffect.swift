internal import JournalTail

/// What must happen outside the state once a decision has been committed.
enum HoldEffect: Hashable, Sendable {
    case none
    case journal(JournalTail.Decision)
}
