internal import GRDB

/// What is said of a disk that does not take what is written: when that begins, then seldom, and when it is over.
struct CommitTrouble {
    /// So long nothing more is said of what has been said.
    private static let pause: Duration = .seconds(60)

    /// A trouble that is over.
    struct Past: Equatable {
        /// The writes that could not be stored.
        let count: Int
        let duration: Duration
    }

    private struct Present {
        let begin: ContinuousClock.Instant
        var said: ContinuousClock.Instant
        /// The writes that could not be stored.
        var count = 0
        /// Those among them of which nothing was said yet.
        var unsaid = 0
    }

    private var present: Present?

    /// Notes that `count` writes could not be stored; gives how many there were since that was last said, where it is time
    /// to say it.
    mutating func failed(_ count: Int, at now: ContinuousClock.Instant) -> Int? {
        let isNew = present == nil
        var trouble = present ?? Present(begin: now, said: now)
        defer { present = trouble }
        trouble.count += count
        trouble.unsaid += count
        guard isNew || now - trouble.said >= CommitTrouble.pause else { return nil }
        trouble.said = now
        defer { trouble.unsaid = 0 }
        return trouble.unsaid
    }

    /// Notes that something was stored; gives the trouble that is over by that.
    mutating func worked(at now: @autoclosure () -> ContinuousClock.Instant) -> Past? {
        guard let trouble = present else { return nil }
        present = nil
        return Past(count: trouble.count, duration: now() - trouble.begin)
    }

    /// What is wrong, for people.
    static func reason(of error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        switch error.resultCode {
        case .SQLITE_FULL: return "the disk is full"
        case .SQLITE_IOERR: return "the disk answers with an error"
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: return "there is no right to write to the file"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return "the file is damaged"
        default: return error.message ?? error.resultCode.description
        }
    }
}
