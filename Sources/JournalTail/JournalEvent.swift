package import OperatingSystem

/// What a tail has to say, in order.
package enum JournalEvent: Sendable {
    /// The journal, or its nearest existing folder, is watched: nothing appended from now on is missed. Comes once, first.
    case watching
    /// Nothing was read before: reading begins at this position, which is to be committed, for the file may be rotated
    /// before it has a line. It stands for no file where there is none.
    case begun(JournalPosition)
    case batch(JournalBatch)
    /// All complete lines have been handled. Comes again whenever one of the two has changed.
    case caughtUp(size: UInt64, offset: UInt64)
    case rotated(JournalRotation)
    /// What is written from now on to a file that was left for the next one is not read, because of this.
    case abandoned(file: String, reason: String)
    /// What was consumed has been changed; nothing more is read by this tail. `present` is the end of what stands in
    /// the file now: a tail that starts there goes on with what was appended since, one that starts at
    /// ``JournalPosition/restarted`` reads all of the file again.
    case rewritten(reason: String, present: JournalPosition)
    /// There is no journal (yet, or any more); it is waited for.
    case missing
    /// The journal is there and can't be read; it is tried again whenever something changes there.
    case unreadable(SystemError)

    /// The same, where these are the positions of the files that were left.
    func with(left: [JournalPosition]?) -> JournalEvent {
        switch self {
        case .begun(var position):
            position.left = left
            return .begun(position)
        case .batch(var batch):
            batch.position.left = left
            return .batch(batch)
        case .rotated(var rotation):
            rotation.position.left = left
            return .rotated(rotation)
        case .rewritten(let reason, var present):
            present.left = left
            return .rewritten(reason: reason, present: present)
        case .watching, .abandoned, .caughtUp, .missing, .unreadable: return self
        }
    }
}
