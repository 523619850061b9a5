package import OperatingSystem

/// What a tail has to say, in order.
package enum JournalEvent: Sendable {
    /// The journal, or its nearest existing folder, is watched: nothing appended from now on is missed. Comes once, first.
    case watching
    case batch(JournalBatch)
    /// All complete lines have been handled. Comes again whenever one of the two has changed.
    case caughtUp(size: UInt64, offset: UInt64)
    case rotated(JournalRotation)
    /// What was consumed has been changed in place; nothing is read until ``JournalTail/decide(_:)``.
    case rewritten(reason: String, at: JournalPosition)
    /// There is no journal (yet, or any more); it is waited for.
    case missing
    /// The journal is there and can't be read; it is tried again whenever something changes there.
    case unreadable(SystemError)
}
