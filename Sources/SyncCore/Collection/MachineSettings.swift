package import SyncModel

/// How a collection is synced; fixed for the life of its machine.
package struct MachineSettings: Hashable, Sendable {
    package var pull: PullMode
    package var writeGuard: WriteGuard
    /// Whether the remote keeps tombstones.
    package var keepsTombstones: Bool

    package init(pull: PullMode, writeGuard: WriteGuard, keepsTombstones: Bool) {
        self.pull = pull
        self.writeGuard = writeGuard
        self.keepsTombstones = keepsTombstones
    }

    /// The keyspaces that are listened to.
    package func keyspaces(of id: CollectionID) -> [Keyspace] {
        keepsTombstones ? [.records(id), .tombstones(id)] : [.records(id)]
    }
}
