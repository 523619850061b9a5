public import SyncModel

/// What a remote is made of.
public struct RemoteContext: Sendable {
    /// The values of all keys, checked.
    public let values: SettingValues
    /// The path of each enabled collection in the database, without slashes at its ends; "" is the root.
    public let bases: [CollectionID: String]
    /// How many keys, one below the other, lead to a record of each enabled collection.
    public let depths: [CollectionID: Int]
    /// The absolute path of the daemon's own folder.
    public let stateFolder: String
    /// Reads a file whose content must not be seen by others, at an absolute path.
    public let readSecret: @Sendable (String) throws -> [UInt8]

    public init(
        values: SettingValues, bases: [CollectionID: String], depths: [CollectionID: Int] = [:], stateFolder: String,
        readSecret: @escaping @Sendable (String) throws -> [UInt8]
    ) {
        self.values = values
        self.bases = bases
        self.depths = depths
        self.stateFolder = stateFolder
        self.readSecret = readSecret
    }

    /// Reads one key of every keyspace that will be used, and shuts `remote` down.
    public func probe(_ remote: any Remote) async throws -> String {
        let outcome: Result<Void, any Error>
        do {
            for collection in bases.keys.sorted(by: { $0.name < $1.name }) {
                _ = try await remote.read(probe(collection), in: .records(collection))
                if remote.keepsTombstones {
                    _ = try await remote.read("moviesync-probe", in: .tombstones(collection))
                }
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await remote.shutdown()
        try outcome.get()
        return "remote: \(remote.address) answers"
    }

    /// A key that no record has.
    private func probe(_ collection: CollectionID) -> String {
        Array(repeating: "moviesync-probe", count: depths[collection] ?? 1).joined(separator: "/")
    }
}
