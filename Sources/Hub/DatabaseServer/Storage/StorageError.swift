/// Storing failed; nothing of the write has happened.
struct StorageError: Error, Sendable {
    let message: String
}
