/// Storing failed; nothing of the write has happened.
struct StorageError: Error, Sendable {
    let message: String
}

extension StorageError {
    /// - Parameter error: why, as the store has thrown it.
    init(_ error: any Error) {
        self.init(message: "The server could not store this: \(CommitTrouble.reason(of: error))")
    }
}
