internal import ControlAPI

/// What a running command works with.
struct Session: Sendable {
    let client: ControlClient
    let output: Output
}

extension Session {
    /// The full id that `prefix` stands for; asks the daemon unless it is whole already.
    func recordID(_ prefix: String, in collection: CollectionName) async throws -> RecordPrefix {
        let prefix = try RecordPrefix(prefix)
        guard !prefix.isWhole else { return prefix }
        return try RecordPrefix(try await client.record(prefix, in: collection).id)
    }
}
