internal import LocalStore

extension SyncEngine {
    /// What does the work, part by part: each returns as soon as it has shown that it lives.
    ///
    /// Who waits for the network, a plugin or a person lives. Who hangs, for a lock or for a disk that does not answer,
    /// does not return before it goes on, or the task is cancelled.
    package var lifeSigns: [(part: String, isAlive: @Sendable () async -> Void)] {
        var signs: [(part: String, isAlive: @Sendable () async -> Void)] = []
        signs.append(("the journal", { [journal] in await journal.isAlive() }))
        signs.append(("the state", { [store = context.store] in await store.isAlive() }))
        for collection in collections {
            signs.append(("the sync of \(collection.id)", { await collection.isAlive() }))
        }
        return signs
    }
}
