internal import Logging
internal import Synchronization

/// What is said where writes can't be stored.
extension CommitQueue {
    /// What those are told whose writes could not be stored.
    func failure(of count: Int, _ error: any Error) -> StorageError {
        if let unsaid = trouble.withLock({ $0.failed(count, at: .now) }) {
            logger.error(
                "Writes could not be stored",
                metadata: [
                    "event": "commit.failed", "count": "\(unsaid)", "reason": "\(CommitTrouble.reason(of: error))",
                    "error": "\(error)", "file": "\(file.path)",
                ])
        }
        return StorageError(error)
    }

    /// To be called after something was stored.
    func noteStored() {
        guard let past = trouble.withLock({ $0.worked(at: .now) }) else { return }
        logger.notice(
            "Writes can be stored again",
            metadata: [
                "event": "commit.recovered", "count": "\(past.count)", "seconds": "\(past.duration / .seconds(1))",
                "file": "\(file.path)",
            ])
    }
}
