internal import OperatingSystem

extension JournalTail {
    /// Hands over what a tail that begins at `start` would read now, of all files; it ends where a person would be asked.
    ///
    /// - Throws: what `body` throws, and a ``SystemError`` where a file can't be read.
    package static func readBatches(
        of path: String, from start: Start, _ body: (JournalBatch) throws -> Void
    ) throws {
        var follower = JournalFollower(path: path, resumingAt: start, pace: CheckPace())
        while let event = follower.nextAtOnce() {
            switch event {
            case .batch(let batch): try body(batch)
            case .unreadable(let error): throw error
            case .rewritten: return
            case .watching, .begun, .abandoned, .caughtUp, .rotated, .missing: continue
            }
        }
    }
}
