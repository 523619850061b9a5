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
    /// Something is not read that may be, or may become, a part of the journal, because of this: what is written from now on
    /// to a file that was left for the next one, what followed in one that is gone, a file that looks like a copy.
    case abandoned(file: String, reason: String)
    /// What was consumed has been changed; nothing more is read by this tail. `present` is where reading has stopped, where
    /// what was consumed still ends there as it did, else the end of what stands in the file now: a tail that starts there
    /// goes on with what follows, one that starts at ``JournalPosition/restarted`` reads all of the file again.
    case rewritten(reason: String, present: JournalPosition)
    /// There is no journal (yet, or any more); it is waited for.
    case missing
    /// The journal is there and can't be read; it is tried again every second, and whenever something changes there.
    case unreadable(SystemError)

    /// The same, where these files were left.
    func beside(_ left: LeftJournals) -> JournalEvent {
        switch self {
        case .begun(let position): return .begun(position.beside(left))
        case .batch(var batch):
            batch.position = batch.position.beside(left)
            return .batch(batch)
        case .rotated(var rotation):
            rotation.position = rotation.position.beside(left)
            return .rotated(rotation)
        case .rewritten(let reason, let present): return .rewritten(reason: reason, present: present.beside(left))
        case .watching, .abandoned, .caughtUp, .missing, .unreadable: return self
        }
    }
}
